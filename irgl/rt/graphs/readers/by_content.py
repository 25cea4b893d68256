"""Which format a file has, told by its content, and the reader for it."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import Arcs, build, of_width
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.native.source import Source, UnusualError
from irgl.rt.graphs.native.table import ready
from irgl.rt.graphs.readers import (
    binary,
    cliques,
    dimacs,
    edge_list,
    galois,
    ligra,
    matrix_market,
    metis,
    npz,
    triangle,
)
from irgl.rt.graphs.readers.sniff import refuse_foreign, text_format
from irgl.rt.graphs.readers.text import PAD, Opening, Progress, Text, present, read_bytes
from irgl.rt.graphs.readers.words import amount
from irgl.rt.system.own_files import is_own
from irgl.source import IrglError

FORMATS = ("mtx", "gr", "el", "metis", "adj", "cliques", "ele", "npz", "galois", "galois-float", "irglg")
#: Texts of these formats may be read in parts.
_IN_PARTS = ("mtx", "gr", "el")
_BINARY = ("npz", "galois", "galois-float", "irglg")


def read(
    path: str, format: str | None, undirected: bool, index_bits: int, compact: bool, progress: Progress | None
) -> Graph:
    """The graph of a file; `format` (one of FORMATS) None: told by content. IrglError on any fault.

    `undirected` adds the reverse of each arc that lacks it, and says so in `changed` unless the format means it.
    """
    if format is not None and format not in FORMATS:
        raise IrglError(f"unknown graph format '{format}'", hint=f"known are {', '.join(FORMATS)}")
    if progress is not None:
        progress("open", None)
    head = _head(path)
    graph = _in_parts(path, head, format, undirected, index_bits, compact, progress)
    if graph is not None:
        return graph
    data = _mapped(path) if format in (None, "galois", "galois-float", "irglg") and _maps(head) else None
    if data is None:
        content = read_bytes(path)
        head = content[:8]
        data = np.frombuffer(content, np.uint8)
        found = format if format is not None else _binary_format(head)
        if found not in _BINARY:
            return _read_text(Text(path, content), found, undirected, index_bits, compact, progress)
        if found == "npz":
            return _finished(npz.read(path, content), path, undirected, index_bits, None)
    found = format if format is not None else _binary_format(head)
    if found == "irglg":
        graph = of_width(binary.decode(path, data), index_bits)
    else:
        graph = galois.decode(path, data, floats=found == "galois-float", index_bits=index_bits)
    if undirected and graph.directed:
        arcs = Arcs(graph.num_nodes, graph.sources(), graph.dst, graph.weight, False, graph.id_base, graph.node_ids)
        arcs.changed = graph.changed
        return _finished(arcs, graph.source, True, index_bits, None)
    return graph


def _in_parts(path: str, head: bytes, format: str | None, undirected: bool, index_bits: int, compact: bool,
              progress: Progress | None) -> Graph | None:
    """The graph of a large text, by C++; None: it isn't one, or something in it is unusual or wrong, which the readers
    that have all of a text in memory read, or say."""
    if format not in (None, *_IN_PARTS) or head == b"" or (format is None and _binary_format(head) is not None):
        return None
    try:
        with closing(Source(path)) as source:
            text = Opening(path, source)
            if not ready():
                return None
            graph = _read_text(text, format, undirected, index_bits, compact, progress)
            return graph if source.unchanged() else None
    except (OSError, UnusualError, IrglError):
        return None


def _head(path: str) -> bytes:
    if not present(path) or not Path(path).is_file():
        return b""
    try:
        with Path(path).open("rb") as file:
            return file.read(8)
    except OSError:
        return b""


def _maps(head: bytes) -> bool:
    return head == binary.MAGIC or head in galois.HEADS


def _mapped(path: str) -> NDArray[Any]:
    """The bytes of a file. What others may write to is copied: they could change it after it was checked."""
    try:
        with Path(path).open("rb") as file:
            if is_own(os.fstat(file.fileno())):
                return np.memmap(file, np.uint8, "r")
            return np.fromfile(file, np.uint8)
    except (OSError, ValueError) as error:
        raise IrglError(f"cannot read the file: {error}", file=path) from None


def _binary_format(head: bytes) -> str | None:
    if head == binary.MAGIC:
        return "irglg"
    if head.startswith(npz.MAGIC):
        return "npz"
    return "galois" if head in galois.HEADS else None


def _read_text(
    text: Text, name: str | None, undirected: bool, index_bits: int, compact: bool, progress: Progress | None
) -> Graph:
    directed: bool | None = None
    if name is None:
        refuse_foreign(text)
    name = name if name is not None else text_format(text)
    if isinstance(text, Opening) and name not in _IN_PARTS:
        raise UnusualError
    if name == "mtx":
        arcs = matrix_market.read(text, progress)
    elif name == "gr":
        arcs = dimacs.read(text, progress)
    elif name == "metis":
        arcs, directed = metis.read(text)
    elif name == "adj":
        arcs = ligra.read(text)
    elif name == "cliques":
        arcs = cliques.read(text, compact)
    elif name == "ele":
        text.blank_comments(PAD, b"#", inside=True)
        arcs = triangle.mesh_graph(text)
    else:
        arcs = edge_list.read(text, compact, progress)
    if progress is not None:
        progress("build", None)
    return _finished(arcs, text.path, undirected and directed is not False, index_bits, directed)


def _finished(arcs: Arcs, source: str, undirected: bool, index_bits: int, directed: bool | None) -> Graph:
    if not undirected or arcs.mirrored:
        return build(arcs, source, index_bits, directed)
    before = len(arcs.src)
    arcs.mirrored = True
    graph = build(arcs, source, index_bits)
    added = graph.num_edges - before
    if added:
        graph.changed = (*graph.changed, "added " + amount(added, "reverse arc"))
    return graph
