"""Which form of edges a plan wants at a nested loop, and the loops that take a node's edges from a form of kind `rows`.

With such a form the program stays as it is: generated code asks the form for a node's edges in the place of rows
(codegen/cxx/row_forms.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from irgl.analysis.loops.rows import Row, asks_place, row_of
from irgl.analysis.loops.sweeps import Sweep, sweep_of, weight_of
from irgl.analysis.names.paths import nested_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.forms.find import form
from irgl.plan import Plan

ROWS = "csr"


class Laid(Protocol):
    """A form with its options, of one direction's edges."""

    @property
    def form(self) -> str: ...
    @property
    def options(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def incoming(self) -> bool: ...


def member_of(use: Laid) -> str:
    """What the graph view calls a form."""
    words = ["in" if use.incoming else "out", use.form, *(value for _, value in use.options)]
    return "_" + "_".join(words)


def form_at(checked: Checked, kernel: A.Kernel, inner: A.ForAll, plan: Plan,
            place: str) -> tuple[str, tuple[tuple[str, str], ...], Sweep | None]:
    """The form that a plan wants at a nested loop, '' for rows, the values of its own options, and how it is swept.

    A form that has both ways is left the other one where a sweep is wanted and isn't legal.
    """
    name = plan.text_of("format", place)
    if name == ROWS:
        return "", (), None
    of = form(name)
    options = {o: plan.text_of(o, place) for o in of.options}
    sweep = sweep_of(checked, kernel, inner) if of.is_swept(options) else None
    if isinstance(sweep, str):
        if of.swept is None:
            return "", (), None
        options[of.swept[0]] = plan.plain(of.swept[0])
    return name, tuple(options.items()), sweep if isinstance(sweep, Sweep) else None


@dataclass(frozen=True, slots=True)
class RowUse:
    """A nested ForAll that takes a node's edges from a form; what it wants beside it is told as in sweep_edges.Use."""

    of: Row
    form: str
    options: tuple[tuple[str, str], ...]
    graph_type: str
    weights: A.Property | None
    numbered: bool

    @property
    def incoming(self) -> bool:
        """Are they in-edges?"""
        return self.of.incoming

    @property
    def member(self) -> str:
        """What the graph view calls the form."""
        return member_of(self)


def uses_of_rows(checked: Checked, plan: Plan) -> dict[A.ForAll, RowUse]:
    """The nested loops that take their edges from such forms, of a program as it is generated."""
    found = {}
    for kernel in checked.kernels.values():
        for loop, place in nested_loops(kernel).items():
            name, options, swept = form_at(checked, kernel, loop, plan, place)
            of = row_of(checked, kernel, loop) if name and not swept else ""
            if isinstance(of, Row):
                graph = next(p.type for p in kernel.params if p.name == of.graph)
                found[loop] = RowUse(of, name, options, str(graph), weight_of(checked, loop), asks_place(checked, loop))
    return found
