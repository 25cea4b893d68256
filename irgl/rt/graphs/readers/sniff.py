"""Which text format a file has. Files of bare numbers are told apart by whether their counts add up."""

from __future__ import annotations

import re
from pathlib import Path

from irgl.rt.graphs.native.source import UnusualError
from irgl.rt.graphs.readers import ligra, metis
from irgl.rt.graphs.readers.text import BLANKS, PAD, Opening, Text
from irgl.source import IrglError

SAMPLE = 200
#: What is told of files that hold something else, by how they begin: what they are, and what to do.
_READS = "edge lists, MatrixMarket, DIMACS, METIS, Galois and NumPy's .npz are read"
_FROM_PYTHON = "read it in Python: irgl.compile(PROGRAM) is a function of NetworkX graphs"
_HEADS = (
    (rb"<!doctype\s+html|<html", "a page of HTML",
     "was it saved in place of a download? Fetch the file that the page speaks of"),
    (rb"<\?xml[^>]*>\s*<graphml|<graphml", "GraphML", f"{_FROM_PYTHON}, such as nx.read_graphml gives"),
    (rb"<\?xml[^>]*>\s*<gexf|<gexf", "GEXF", f"{_FROM_PYTHON}, such as nx.read_gexf gives"),
    (rb"<\?xml", "XML", _READS),
    (rb"graph\s*\[", "GML", f"{_FROM_PYTHON}, such as nx.read_gml gives"),
    (rb"(?:strict\s+)?(?:di)?graph\b[^\n]*\{", "a picture in Graphviz's language", _READS),
    (rb"[\[{]\s*[\"\[{\]}\d]|[\[{]\s*$", "JSON", f"{_FROM_PYTHON}, such as nx.node_link_graph(json.load(file)) gives"),
)  # fmt: skip


def text_format(text: Text) -> str:
    """'mtx', 'gr', 'adj', 'ele', 'metis' or 'el' (the one left over). IrglError for Triangle's files that hold no
    graph."""
    if text.line(PAD).lower().startswith(b"%%matrixmarket"):
        return "mtx"
    if text.line(PAD).strip() in (ligra.PLAIN, ligra.WEIGHTED):
        return "adj"
    first = text.next_line(PAD, b"c")
    if first < len(text.data) and text.line(first).split()[0] == b"p":
        return "gr"
    header = text.next_line(PAD, b"#%")
    words = text.line(header).replace(b",", b" ").split() if header < len(text.data) else []
    if not 2 <= len(words) <= 4 or not all(word.isdigit() and len(word) <= 18 for word in words):
        return "el"
    numbers = [int(word) for word in words]
    rows = _sample(text, text.line_end(header) + 1)
    _refuse_points(text, header, numbers, rows)
    if len(numbers) == 3 and numbers[1] in (3, 6) and _are_rows(rows, numbers[0], 1 + numbers[1] + numbers[2]):
        return "ele"
    no_format = len(words) > 2 and not (len(words[2]) <= 3 and set(words[2]) <= set(b"01"))
    if no_format and all(2 <= len(row) <= 4 for row in rows):
        return "el"
    same = sum(len(row) == len(words) for row in rows)
    if len(words) == 4 or 2 * same < len(rows):
        return "metis"
    return "metis" if _adds_up(text, header, numbers[0]) else "el"


def _sample(text: Text, start: int) -> list[list[bytes]]:
    """The words of the first lines from `start` that are neither empty nor comments."""
    rows: list[list[bytes]] = []
    while len(rows) < SAMPLE and (start := text.next_line(start, b"#%")) < len(text.data):
        rows.append(text.line(start).partition(b"#")[0].replace(b",", b" ").split())
        start = text.line_end(start) + 1
    return rows


def _are_rows(rows: list[list[bytes]], count: int, width: int) -> bool:
    """Whether the rows, `count` of them at most, have `width` words each and are numbered from 0 or 1."""
    mine = rows[: min(count, SAMPLE)]
    if not mine or mine[0][0] not in (b"0", b"1"):
        return False
    first = int(mine[0][0])
    return all(len(row) == width and row[0] == b"%d" % (first + k) for k, row in enumerate(mine))


def _refuse_points(text: Text, header: int, numbers: list[int], rows: list[list[bytes]]) -> None:
    if len(numbers) != 4 or numbers[1] != 2 or numbers[3] > 1:
        return
    if numbers[0] == 0 and rows:
        raise text.fail("this file holds an outline (.poly), not a graph", header)
    if _are_rows(rows, numbers[0], 3 + numbers[2] + numbers[3]):
        outline = len(rows) > numbers[0]
        what = "an outline (.poly)" if outline else "points (.node)"
        hint = None if outline else "give it as the graph's coordinates"
        raise text.fail(f"this file holds {what}, not a graph", header, hint)


def _adds_up(text: Text, header: int, nodes: int) -> bool:
    """Whether a file whose lines all look alike is METIS all the same: as many rows as nodes, and they fit."""
    if isinstance(text, Opening):
        return _refuse_rows(text, text.line_end(header) + 1, nodes)
    lines = text.data.count(b"\n", text.line_end(header) + 1)
    if nodes > lines:
        return False
    copy = Text.__new__(Text)
    copy.path, copy.data = text.path, bytearray(text.data)
    try:
        metis.read(copy)
    except IrglError:
        return False
    return True


def _refuse_rows(text: Opening, start: int, nodes: int) -> bool:
    """False where the text has not `nodes` rows from `start` on, so that it can't be METIS; else UnusualError."""
    rows = ends = 0
    for block in text.source.blocks(text.place(start)):
        # Of the lines that begin and end here, behind so many rows, one with something in it is a row too many.
        if rows >= nodes and any(line.strip(BLANKS)[:1] not in (b"", b"%") for line in block[:4096].split(b"\n")[1:-1]):
            return False
        here = block.count(b"\n")
        ends += here
        rows += here - block.count(b"%")  # or more of them
    if nodes > ends + 1:
        return False
    raise UnusualError


def refuse_foreign(text: Text) -> None:
    """Raises IrglError where a file is of a kind that is no list of edges."""
    head = bytes(text.data[:400]).lstrip(b"\xef\xbb\xbf \t\r\n")
    for pattern, what, hint in _HEADS:
        if re.match(pattern, head, re.IGNORECASE) is not None:
            raise IrglError(f"this is {what}, not a graph that irgl reads", file=str(Path(text.path)), hint=hint)
