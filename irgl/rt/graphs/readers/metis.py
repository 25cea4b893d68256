"""METIS and Chaco graph files: a header `nodes edges [format [vertex-weights]]`, then the neighbours of each node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import Arcs, check_size, without_mirror
from irgl.rt.graphs.readers.table import narrowed
from irgl.rt.graphs.readers.text import PAD, Text, quoted
from irgl.rt.graphs.readers.tokens import ragged
from irgl.rt.graphs.readers.words import amount, count

Array = NDArray[Any]


def read(text: Text) -> tuple[Arcs, bool]:
    """(arcs, directed). Ids from 1; vertex weights and sizes are checked and left out.

    The rows list every edge from both ends, so twice the header's edges (a self-loop once or twice); rows that list
    as many arcs as the header has edges are taken as a directed graph, as GAP's converter writes them. The first
    digit of the format means vertex sizes (METIS) or that self-loops and parallel edges may occur (10th DIMACS
    challenge): the number of items tells which.
    """
    header = text.next_line(PAD, b"%")
    nodes, edges, sizes, weights, weighted = _header(text, header)
    check_size(nodes, edges, text.path)
    values, counts, offsets = ragged(text, text.line_end(header) + 1, b"%", "item")
    promised = f"the header promises {amount(nodes, 'node')}"
    if len(counts) < nodes:
        raise text.fail(f"{promised}, the file has {amount(len(counts), 'line')} for them", header)
    extra = np.flatnonzero(counts[nodes:])
    if len(extra):
        raise text.fail(f"{promised}, here is one more", int(offsets[nodes + extra[0]]))
    counts, offsets = counts[:nodes], offsets[:nodes]
    step = 2 if weighted else 1
    skip = _skip(len(values), nodes, edges, step, weights, sizes)
    bad = (counts < skip) | ((counts - skip) % step != 0)
    if bad.any():
        row = int(np.argmax(bad))
        lead = f"{amount(skip, 'vertex number')} and " if skip else ""
        items = "neighbour weight pairs" if weighted else "neighbours"
        raise text.fail(f"expected {lead}{items}, found {amount(int(counts[row]), 'item')}", int(offsets[row]))
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]]) if nodes else counts
    body = np.ones(len(values), np.bool_)
    for place in range(skip):
        body[begins + place] = False
    src = np.repeat(np.arange(nodes), (counts - skip) // step)
    dst, weight = values[body], None
    if weighted:
        dst, weight = dst[0::2], narrowed(dst[1::2])
    bad = (dst < 1) | (dst > nodes)
    if bad.any():
        arc = int(np.argmax(bad))
        raise text.fail(f"node id {int(dst[arc])} is not in 1..{nodes}", int(offsets[src[arc]]))
    dst = dst - 1
    arcs = Arcs(nodes, src, dst, weight, id_base=1)
    return arcs, _directed(text, arcs, edges, header, offsets)


def _header(text: Text, header: int) -> tuple[int, int, bool, int, bool]:
    """(nodes, edges, format's first digit, vertex weights per node, edge weights?)."""
    words = text.line(header).split() if header < len(text.data) else []
    if not 2 <= len(words) <= 4:
        place = header if header < len(text.data) else None
        raise text.fail("the header must be 'nodes edges [format [vertex-weights]]'", place)
    nodes, edges = count(text, header, words[0], "nodes"), count(text, header, words[1], "edges")
    code = words[2].rjust(3, b"0") if len(words) > 2 else b"000"
    if len(code) != 3 or code.strip(b"01"):
        raise text.fail(f"format: {quoted(words[2])} is not up to three digits 0 or 1", header)
    per_node = count(text, header, words[3], "vertex-weights") if len(words) > 3 else 1
    if per_node > 1000:
        raise text.fail(f"{per_node} weights per vertex are not believable", header)
    return nodes, edges, code[0:1] == b"1", per_node if code[1:2] == b"1" else 0, code[2:3] == b"1"


def _skip(items: int, nodes: int, edges: int, step: int, weights: int, sizes: bool) -> int:
    """How many numbers stand before the neighbours of a row: the vertex weights, and the size if rows have one."""
    if not sizes:
        return weights
    for arcs in (2 * edges, edges):
        for skip in (weights, weights + 1):
            if items == nodes * skip + step * arcs:
                return skip
    return weights + 1


def _directed(text: Text, arcs: Arcs, edges: int, header: int, offsets: Array) -> bool:
    """Whether the rows list each edge once; refuse rows that fit neither the header nor each other."""
    listed = len(arcs.dst)
    loops = int(np.count_nonzero(arcs.src == arcs.dst))
    if listed not in (2 * edges, 2 * edges - loops):
        if listed == edges:
            return True
        wanted = f"the header promises {amount(edges, 'edge')}, so {2 * edges:,} neighbours"
        raise text.fail(f"{wanted}; the rows list {listed:,}", header)
    missing = without_mirror(arcs.num_nodes, arcs.src, arcs.dst, arcs.weight)
    if missing.any():
        arc = int(np.argmax(missing))
        tail, head = int(arcs.src[arc]), int(arcs.dst[arc])
        same = " with the same weight" if arcs.weight is not None else ""
        message = f"node {tail + 1} lists {head + 1}, which does not list it back{same}"
        raise text.fail(message, int(offsets[tail]))
    if loops and listed == 2 * edges:
        # Self-loops listed twice in their row: every second one of a node is the other end of the one before.
        _drop_second_loops(arcs)
    return False


def _drop_second_loops(arcs: Arcs) -> None:
    loops = np.flatnonzero(arcs.src == arcs.dst)
    nodes = arcs.src[loops]
    first = np.concatenate([[True], nodes[1:] != nodes[:-1]])
    rank = np.arange(len(loops)) - np.maximum.accumulate(np.where(first, np.arange(len(loops)), 0))
    if bool((np.bincount(nodes) % 2 != 0).any()):
        return
    keep = np.ones(len(arcs.src), np.bool_)
    keep[loops[rank % 2 == 1]] = False
    arcs.src, arcs.dst = arcs.src[keep], arcs.dst[keep]
    arcs.weight = arcs.weight[keep] if arcs.weight is not None else None
