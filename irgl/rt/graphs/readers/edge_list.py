"""Edge lists (SNAP's, GAP's .el and .wel): one arc per line, two ids and perhaps a weight; a first line may name the
columns, as CSV files have it."""

from __future__ import annotations

import re

from irgl.rt.graphs.build_csr import Arcs, compact_ids
from irgl.rt.graphs.edge_tables import SOURCES, TARGETS, WEIGHTS
from irgl.rt.graphs.readers.table import Columns, read_table
from irgl.rt.graphs.readers.text import BLANKS, PAD, Progress, Text, quoted
from irgl.rt.graphs.readers.words import amount

COMMENTS = b"#%"
_QUOTED = re.compile(rb'(?<![^,\s])"([-+.0-9eE]+)"(?![^,\s])')
_NAME = re.compile(rb'"[^"0-9][^"]*"|[A-Za-z_][^",\t]*')
_NAMES = ("an edge is two integers; nodes with names are for irgl.run, in Python, as a table (pandas, Arrow, ...) or a "
         "list of edges")
_INDEX = "a table's own row numbers? write it without them: to_csv(index=False)"


def read(text: Text, compact: bool = True, progress: Progress | None = None) -> Arcs:
    """The arcs of the file, ids numbered densely (see build_csr.compact_ids). IrglError on any fault."""
    text.blank_comments(PAD, COMMENTS)
    if b'"' in text.data:
        text.data = bytearray(_QUOTED.sub(rb" \1 ", text.data))  # numbers as some write them in CSV files
    start, words = PAD, list[bytes]()
    names = _blank_heading(text, first) if (first := text.next_line(PAD)) < len(text.data) else []
    while not words and (start := text.next_line(start)) < len(text.data):
        words = text.line(start).replace(b",", b" ").split()
        start = start if words else text.line_end(start) + 1
    width = len(words) if words else 2
    mark = next((mark for mark in (b";", b"|") if any(mark in word for word in words)), None)
    if mark is not None and width <= 3:
        raise text.fail(f"'{mark.decode()}' stands between the columns", start, "give blanks, tabs or commas there")
    if width not in (2, 3):
        raise text.fail(
            f"an edge is 'source target' or 'source target weight', found {amount(width, 'item')}",
            start,
            "name the format if this is no edge list: --format metis, cliques, ...",
        )
    if names and len(names) != width:
        raise text.fail(f"the heading names {len(names)} columns, and this line has {width}", start)
    name = next((word for word in words[:2] if not word[:1].isdigit() and word[:1] not in b"+-."), None)
    if name is not None:
        raise text.fail(f"node id {quoted(name)} is not an integer", start, _NAMES)
    shape = "source target" if width == 2 else "source target weight"
    columns = Columns(shape, values="none" if width == 2 else "auto", commas=True)
    table = read_table(text, start, columns, progress, comments=COMMENTS)
    arcs = compact_ids(table.ids[0], table.ids[1], compact, text.path, own=True)
    arcs.weight = table.values[0] if table.values else None
    if names:
        arcs.changed = (f"left out the heading: {', '.join(names)}",)
    return arcs


def _blank_heading(text: Text, start: int) -> list[str]:
    """The names of the columns, if the line at `start` holds names between commas or tabs; blanks overwrite it.

    IrglError where the names say that the columns are in another order, or where nothing follows.
    """
    line = text.line(start)
    words = [word.strip(BLANKS) for word in line.split(b"," if b"," in line else b"\t")]
    if len(words) > 2 and not words[-1]:
        words.pop()  # its lines end with a comma
    if len(words) < 2 or not all(_NAME.fullmatch(word) for word in words[1:]):
        return []
    if not words[0]:
        raise text.fail("the first column has no name: it does not hold nodes", start, _INDEX)
    if not _NAME.fullmatch(words[0]):
        return []
    names = [word.decode("utf-8", "replace").strip('"') for word in words]
    _refuse_order(text, start, names)
    end = text.line_end(start)
    if text.next_line(end + 1) >= len(text.data):
        raise text.fail("this line names columns, and no edges follow", start, _NAMES)
    text.data[start:end] = b" " * (end - start)
    return names


def _refuse_order(text: Text, start: int, names: list[str]) -> None:
    others = (TARGETS + WEIGHTS, SOURCES + WEIGHTS, SOURCES + TARGETS)
    for name, wrong, place in zip(names, others, ("source", "target", "weight"), strict=False):
        if name.lower() in wrong:
            raise text.fail(f"the column '{name}' stands where the {place} belongs", start,
                            "an edge is 'source,target' or 'source,target,weight'")
