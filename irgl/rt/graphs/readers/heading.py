"""The heading of a table of edges: a first line that names its columns, as CSV files have it."""

from __future__ import annotations

import re

from irgl.rt.graphs.edge_tables import SOURCES, TARGETS, WEIGHTS
from irgl.rt.graphs.readers.text import BLANKS, Text

_NAME = re.compile(rb'"[^"0-9][^"]*"|[A-Za-z_][^",\t]*')
NAMES = ("an edge is two integers; nodes with names are for irgl.run, in Python, as a table (pandas, Arrow, ...) or a "
         "list of edges")
_INDEX = "a table's own row numbers? write it without them: to_csv(index=False)"


def blank_heading(text: Text, start: int) -> list[str]:
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
        raise text.fail("this line names columns, and no edges follow", start, NAMES)
    text.data[start:end] = b" " * (end - start)
    return names


def _refuse_order(text: Text, start: int, names: list[str]) -> None:
    others = (TARGETS + WEIGHTS, SOURCES + WEIGHTS, SOURCES + TARGETS)
    for name, wrong, place in zip(names, others, ("source", "target", "weight"), strict=False):
        if name.lower() in wrong:
            raise text.fail(f"the column '{name}' stands where the {place} belongs", start,
                            "an edge is 'source,target' or 'source,target,weight'")
