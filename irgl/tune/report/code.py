"""Two texts of generated code side by side: what differs is marked, what doesn't is folded away."""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from markupsafe import Markup

from irgl.tune.report.draw import el

#: Lines that stay in sight around a difference, and the least that is worth folding.
_AROUND, _FOLD = 3, 4
#: Pygments' kinds of words, and the class of our style for each.
_KINDS = (("Comment.Preproc", "cp"), ("Comment", "cc"), ("Keyword.Type", "ct"), ("Keyword", "ck"), ("Literal", "cs"),
          ("Name.Function", "cf"), ("Name.Class", "ct"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A row of both texts; number and text are empty where there is no such line on that side."""

    changed: bool
    left_number: str
    left: Markup
    right_number: str
    right: Markup


@dataclass(frozen=True, slots=True)
class Block:
    """Rows; folded: they are the same on both sides, and far from any difference."""

    lines: tuple[Line, ...]
    folded: bool


def beside(left: str, right: str) -> list[Block]:
    """The rows of both texts."""
    a, b = left.rstrip("\n").split("\n"), right.rstrip("\n").split("\n")
    colours = _coloured(a), _coloured(b)
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    rows = [r for op in matcher.get_opcodes() for r in _rows(op, (a, b), colours)]
    near = [False] * len(rows)
    for k, row in enumerate(rows):
        if row.changed:
            for at in range(max(0, k - _AROUND), min(len(rows), k + _AROUND + 1)):
                near[at] = True
    blocks: list[Block] = []
    for seen, group in groupby(range(len(rows)), key=lambda k: near[k]):
        lines = tuple(rows[k] for k in group)
        folded = not seen and len(lines) >= _FOLD
        if blocks and not folded and not blocks[-1].folded:
            lines = (*blocks.pop().lines, *lines)
        blocks.append(Block(lines, folded))
    return blocks


def changed(blocks: list[Block]) -> int:
    """How many rows differ."""
    return sum(line.changed for block in blocks for line in block.lines)


def _rows(op: tuple[str, int, int, int, int], texts: tuple[list[str], list[str]],
          colours: tuple[list[list[str]], list[list[str]]]) -> Iterator[Line]:
    tag, i, i_end, j, j_end = op
    for k in range(max(i_end - i, j_end - j)):
        at_left, at_right = i + k if i + k < i_end else None, j + k if j + k < j_end else None
        one = texts[0][at_left] if at_left is not None else None
        two = texts[1][at_right] if at_right is not None else None
        marks: tuple[set[int], set[int]] = (set(), set())
        if tag == "replace" and one is not None and two is not None:
            marks = _differing(one, two)
        yield Line(
            tag != "equal",
            "" if at_left is None else str(at_left + 1),
            Markup() if one is None or at_left is None else _spans(one, colours[0][at_left], marks[0]),
            "" if at_right is None else str(at_right + 1),
            Markup() if two is None or at_right is None else _spans(two, colours[1][at_right], marks[1]),
        )


def _differing(one: str, two: str) -> tuple[set[int], set[int]]:
    """The places of two lines at which their words differ; none where they have little in common."""
    words = [[(m.start(), m.group()) for m in re.finditer(r"\w+|\s+|[^\w\s]", line)] for line in (one, two)]
    matcher = difflib.SequenceMatcher(None, [w for _, w in words[0]], [w for _, w in words[1]], autojunk=False)
    if matcher.ratio() < 0.5:
        return set(), set()
    found: tuple[set[int], set[int]] = (set(), set())
    for tag, *ends in matcher.get_opcodes():
        if tag != "equal":
            for side, (begin, end) in enumerate((ends[:2], ends[2:])):
                for start, word in words[side][begin:end]:
                    found[side].update(range(start, start + len(word)))
    return found


def _spans(line: str, colours: list[str], marked: set[int]) -> Markup:
    """A line with its words in elements of their class; what is marked is <mark>."""
    parts = []
    for (class_, mark), group in groupby(range(len(line)), key=lambda k: (colours[k], k in marked)):
        words = "".join(line[k] for k in group)
        piece = el("span", words, class_=class_) if class_ and words.strip() else Markup.escape(words)
        parts.append(el("mark", piece) if mark else piece)
    return Markup("").join(parts)


def _coloured(lines: list[str]) -> list[list[str]]:
    """The class of every character of every line; all '' where Pygments isn't installed."""
    classes = [[""] * len(line) for line in lines]
    try:
        lexer: Any = importlib.import_module("pygments.lexers").CudaLexer(ensurenl=False, stripnl=False)
    except ModuleNotFoundError:
        return classes
    at, column = 0, 0
    for kind, words in lexer.get_tokens("\n".join(lines)):
        class_ = _class(str(kind).removeprefix("Token."))
        for k, piece in enumerate(words.split("\n")):
            if k:
                at, column = at + 1, 0
            if class_:
                classes[at][column : column + len(piece)] = [class_] * len(piece)
            column += len(piece)
    return classes


def _class(kind: str) -> str:
    return next((class_ for name, class_ in _KINDS if kind.startswith(name)), "")
