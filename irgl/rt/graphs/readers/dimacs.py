"""DIMACS challenge files: shortest paths (`p sp`), their coordinates (`p aux sp co`), and PACE's `p tw`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import Arcs, check_size
from irgl.rt.graphs.readers.table import Columns, Table, read_table
from irgl.rt.graphs.readers.text import PAD, Progress, Text, quoted
from irgl.rt.graphs.readers.words import amount, counts_line


def read(text: Text, progress: Progress | None = None) -> Arcs:
    """The arcs of a `p sp` file (`a tail head weight`) or the edges of a `p tw` file (`u v`, each once); ids from 1."""
    problem = text.next_line(PAD, b"c")
    words = text.line(problem).split()[:3] if problem < len(text.data) else []
    kind = words[1] if len(words) > 1 and words[0] == b"p" else b""
    if words[:2] == [b"p", b"aux"]:
        raise text.fail("this file holds coordinates, not a graph", problem, "give it as the graph's coordinates")
    if kind not in (b"sp", b"tw"):
        found = quoted(text.line(problem).strip()) if problem < len(text.data) else "the end of the file"
        place = problem if problem < len(text.data) else None
        raise text.fail(f"expected 'p sp nodes arcs' or 'p tw nodes edges', found {found}", place)
    shape, name = ("p sp nodes arcs", "arc") if kind == b"sp" else ("p tw nodes edges", "edge")
    nodes, edges = counts_line(text, problem, shape, skip=2)
    check_size(nodes, edges, text.path)
    if kind == b"sp":
        columns = Columns("a tail head weight", b"a", values="auto", low=1, high=nodes)
    else:
        columns = Columns("node node", low=1, high=nodes)
    table = _body(text, problem, columns, progress)
    if len(table) != edges:
        raise text.fail(f"the problem line promises {amount(edges, name)}, the file has {len(table):,}", problem)
    weight = table.values[0] if table.values else None
    src, dst = table.ids
    src -= 1
    dst -= 1
    return Arcs(nodes, src, dst, weight, mirrored=kind == b"tw", id_base=1)


def _body(text: Text, problem: int, columns: Columns, progress: Progress | None) -> Table:
    start = text.line_end(problem) + 1
    text.blank_comments(start, b"c")
    return read_table(text, start, columns, progress, comments=b"c")


def read_coordinates(text: Text, nodes: int) -> NDArray[Any]:
    """The coordinates, (nodes, 2) float64, of a `p aux sp co` file that lists each of the ids 1..nodes once."""
    problem = text.next_line(PAD, b"c")
    (listed,) = counts_line(text, problem, "p aux sp co nodes", skip=4)
    if text.line(problem).split()[:4] != [b"p", b"aux", b"sp", b"co"]:
        raise text.fail("expected 'p aux sp co nodes'", problem)
    if listed != nodes:
        raise text.fail(f"coordinates of {amount(listed, 'node')} for a graph of {nodes:,}", problem)
    columns = Columns("v node x y", b"v", ids=1, values="real", count=2, low=1, high=nodes, noun="coordinate")
    table = _body(text, problem, columns, None)
    if len(table) != nodes:
        raise text.fail(f"the problem line promises {amount(nodes, 'node')}, the file has {len(table):,}", problem)
    times = np.bincount(table.ids[0] - 1, minlength=nodes)
    if nodes and int(times.max()) > 1:
        raise text.fail(f"node {int(np.argmax(times)) + 1} has coordinates twice")
    out = np.empty((nodes, 2), np.float64)
    out[table.ids[0] - 1, 0], out[table.ids[0] - 1, 1] = table.values
    return out
