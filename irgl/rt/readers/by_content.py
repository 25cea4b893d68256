"""Which format a file has, told by its content, and the reader for it."""

from __future__ import annotations

from irgl.rt.build_csr import Arcs, build
from irgl.rt.graph import Graph
from irgl.rt.readers import dimacs, edge_list, matrix_market
from irgl.rt.readers.text import PAD, Progress, Text, read_bytes
from irgl.source import IrglError

FORMATS = ("mtx", "gr", "el")


def read(
    path: str,
    format: str | None,
    undirected: bool,
    index_bits: int,
    compact: bool,
    progress: Progress | None,
) -> Graph:
    """The graph of a file. `format` None: told by content."""
    data = read_bytes(path)
    text = Text(path, data)
    name = format if format is not None else _text_format(text)
    arcs = _read_text(text, name, compact, progress)
    arcs.mirrored |= undirected
    return build(arcs, path, index_bits)


def _text_format(text: Text) -> str:
    if text.line(PAD).lower().startswith(b"%%matrixmarket"):
        return "mtx"
    first = text.next_line(PAD, b"c")
    if text.line(first).split()[:1] == [b"p"] if first < len(text.data) else False:
        return "gr"
    return "el"


def _read_text(text: Text, name: str, compact: bool, progress: Progress | None) -> Arcs:
    if name == "mtx":
        return matrix_market.read(text, progress)
    if name == "gr":
        return dimacs.read(text, progress)
    if name == "el":
        return edge_list.read(text, compact, progress)
    raise IrglError(f"unknown graph format '{name}'", hint=f"known are {', '.join(FORMATS)}")
