"""Which nested loops take the edges of a node from a form of kind `rows`, as a plan says.

The program stays as it is: generated code asks the form for a node's edges in the place of rows
(codegen/cxx/row_forms.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.loops.rows import Row, asks_place, row_of
from irgl.analysis.loops.sweeps import weight_of
from irgl.analysis.names.paths import nested_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.passes.sweep_edges import Use, form_at, member_of
from irgl.plan import Plan


@dataclass(frozen=True, slots=True)
class RowUse:
    """A nested ForAll that takes a node's edges from a form; what it wants beside it is told as in sweep_edges.Use."""

    row: Row
    form: str
    options: tuple[tuple[str, str], ...]
    graph_type: str
    weights: A.Property | None
    numbered: bool

    @property
    def incoming(self) -> bool:
        """Are they in-edges?"""
        return self.row.incoming

    @property
    def member(self) -> str:
        """What the graph view calls the form."""
        return member_of(self)


AnyUse = Use | RowUse


def uses(checked: Checked, plan: Plan) -> dict[A.ForAll, RowUse]:
    """The nested loops that take their edges from such forms, of a program as it is generated."""
    found = {}
    for kernel in checked.kernels.values():
        for loop, place in nested_loops(kernel).items():
            name, options, swept = form_at(checked, kernel, loop, plan, place)
            row = row_of(checked, kernel, loop) if name and not swept else ""
            if isinstance(row, Row):
                of = next(p.type for p in kernel.params if p.name == row.graph)
                found[loop] = RowUse(row, name, options, str(of), weight_of(checked, loop), asks_place(checked, loop))
    return found
