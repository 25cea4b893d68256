"""What irgl knows of a program: the facts of `irglc explain`, as text and in a notebook."""

from __future__ import annotations

from collections.abc import Iterator

from irgl.analysis.check import check
from irgl.analysis.explain.draw import dot
from irgl.analysis.explain.facts import Explained, explain
from irgl.analysis.explain.text import facts, lines
from irgl.analysis.flow.outline import outline_trees
from irgl.analysis.names.symbols import Checked
from irgl.driver import checked_program
from irgl.frontends.load import load
from irgl.notebook.html import Html, folded, joined, page, table, tag
from irgl.notebook.tree import drawn
from irgl.passes.pipeline import PASSES
from irgl.rt.call.callable import Program


class Explanation:
    """Of every kernel, loop and orchestration statement of a program: what it reads and writes, what is uniform, where
    a collective may stand, how much may be pushed, what can be outlined, and why the rest can't.

    `str()` and `print` give the facts of `irglc explain --all`, a notebook shows a table and the outline tree. places:
    they, by place. svg: the outline tree. dot: it, control flow and control dependence in Graphviz's language.
    """

    def __init__(self, program: Program) -> None:
        syntax = program.syntax if program.syntax is not None else load(program.source)
        checked = checked_program(syntax, program.source)
        for _, run in PASSES:
            checked = check(run(checked.program))
        self._name = program.manifest.program
        self._checked: Checked = checked
        self.places: tuple[Explained, ...] = tuple(explain(checked))

    @property
    def svg(self) -> str:
        """The outline tree as a picture; '' for a Program without loops that invoke kernels."""
        trees = outline_trees(self._checked)
        return str(drawn(trees)) if trees else ""

    @property
    def dot(self) -> str:
        """The pictures of `irglc explain --dot`."""
        return dot(self._checked)

    def __str__(self) -> str:
        return "\n\n".join("\n".join(lines(p)) for p in self.places)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return page(tag("h4", f"{self._name} explained"), *self.outlined(), *self._tables())

    def outlined(self) -> Iterator[Html]:
        """The outline tree under its title; nothing where there is none."""
        if self.svg:
            yield tag("p", "Outline tree: which loops of the program may run on a GPU as a whole")
            yield Html(self.svg)

    def _tables(self) -> Iterator[Html]:
        groups: dict[str, list[Explained]] = {}
        for p in self.places:
            groups.setdefault(p.path.split(".")[0], []).append(p)
        for places in groups.values():
            yield folded(places[0].what, table(("line", "place", "what is known"), map(_row, places)), is_open=True)


def _row(p: Explained) -> tuple[str, str, str]:
    place = joined((tag("code", p.path), tag("div", p.what, class_="soft")))
    return str(p.line or ""), place, table((), ((tag("b", what), _lines(values)) for what, values in facts(p)))


def _lines(values: tuple[str, ...]) -> Html:
    return joined(tag("div", tag("code", v)) for v in values)
