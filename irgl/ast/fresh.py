"""New names for what the compiler adds to a program: none that stands there may be met, whatever it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.source import Span


def names_in(node: A.Node) -> Iterator[str]:
    """All that is named or declared in a part of a program: variables, what is called, loops by their labels."""
    for n in walk(node):
        match n:
            case A.Name():
                yield n.id
            case A.VarDecl() | A.Param():
                yield n.name
            case A.For() | A.ForAll():
                yield n.var
            case A.Labeled():
                yield n.label
            case A.Call():
                yield n.function
            case _:
                pass


def written(name: str, at: Span | None) -> str:
    """What a variable that stands at `at` is called in the source: its name may have got a number (Fresh.numbered)."""
    stem = re.sub(r"_[0-9]+$", "", name)
    if at is None or stem == name:
        return name
    text = " ".join(at.source.line(i) for i in range(at.line, at.end_line + 1))
    words = set(re.findall(r"\w+", text))
    return stem if stem in words and name not in words else name


class Fresh:
    """Finds names for one function, kernel or Program, each of them once."""

    def __init__(self, program: A.Program, part: A.Node) -> None:
        self.taken = {*names_in(part), *(d.name for d in program.decls if not isinstance(d, A.Import))}

    def bare(self, stem: str) -> str:
        """`stem` itself, or with the first number from 2 on that makes it new."""
        return stem if self._take(stem) else self.numbered(stem, 2)

    def numbered(self, stem: str, first: int = 1) -> str:
        """`stem_1`, or with the next number that makes it new."""
        return f"{stem}_{self.number((f'{stem}_#',), first)}"

    def number(self, patterns: Sequence[str], first: int = 1) -> int:
        """The number, from `first` on, with which all of `patterns` are new: it stands for their #."""
        while not self._take(*(pattern.replace("#", str(first)) for pattern in patterns)):
            first += 1
        return first

    def _take(self, *names: str) -> bool:
        if not self.taken.isdisjoint(names):
            return False
        self.taken.update(names)
        return True
