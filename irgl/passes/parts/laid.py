"""Which form of edges a plan wants at a nested loop, and the loops that take a node's edges from a form of kind `rows`.

With such a form the program stays as it is: generated code asks the form for a node's edges in the place of rows
(codegen/cxx/row_forms.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from irgl.analysis.loops.copies import NOTHING, copied
from irgl.analysis.loops.row_lanes import row_lanes
from irgl.analysis.loops.rows import Row, asks_place, row_of
from irgl.analysis.loops.sweeps import Sweep, sweep_of, weight_of
from irgl.analysis.names.paths import nested_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.forms.find import form
from irgl.forms.form import Form
from irgl.options import OFF
from irgl.plan import Plan

ROWS = "csr"


@dataclass(frozen=True, slots=True)
class Laid:
    """What a nested ForAll takes its edges from. options: the form's own; incoming: the in-edges; graph: the variable
    whose edges they are, of type `graph_type`.

    weights: the property that lies in the form's order; numbered: it wants its edges' places among the rows, too;
    copied: the bytes of what it copies to each edge's place; touched: of what it uses of each far end.
    lanes: of rows, how many of them are taken at once, a number or auto; '': it is another form.
    """

    form: str
    options: tuple[tuple[str, str], ...]
    incoming: bool
    graph: str
    graph_type: str
    weights: A.Property | None
    numbered: bool
    copied: int
    touched: int
    lanes: str

    @property
    def member(self) -> str:
        """What the graph view calls the form; of what could cut it further, where nothing does, that has no word."""
        said = [value for name, value in self.options if name != form(self.form).segmented or self.is_segmented]
        return "_" + "_".join(["in" if self.incoming else "out", self.form, *said])

    @property
    def is_segmented(self) -> bool:
        """Are the edges of each part taken segment by segment?"""
        return form(self.form).is_segmented(dict(self.options))


def form_at(checked: Checked, kernel: A.Kernel, inner: A.ForAll, plan: Plan,
            place: str) -> tuple[str, tuple[tuple[str, str], ...], Sweep | None]:
    """The form that a plan wants at a nested loop, '' for rows, the values of its own options, and how it is swept.

    A form that has both ways is left the other one where a sweep is wanted and isn't legal.
    """
    name = plan.text_of("format", place)
    if name == ROWS:
        lanes = lanes_at(checked, kernel, inner, plan, place)
        return (ROWS, (("lanes", lanes[0]),), lanes[1]) if lanes is not None else ("", (), None)
    of = form(name)
    options = {o: plan.text_of(o, place) for o in of.options}
    sweep = swept_by(checked, kernel, inner, of) if of.is_swept(options) else None
    if isinstance(sweep, str):
        if of.swept is None:
            return "", (), None
        options[of.swept[0]] = plan.plain(of.swept[0])
    return name, tuple(options.items()), sweep if isinstance(sweep, Sweep) else None


def lanes_at(checked: Checked, kernel: A.Kernel, inner: A.ForAll, plan: Plan,
             place: str) -> tuple[str, Sweep] | None:
    """How many rows a plan wants at once at a nested loop over rows, and how they are swept; None: one."""
    if plan.target not in ("cpu", "ref"):
        return None
    said = plan.text_of("lanes", place)
    found = row_lanes(checked, kernel, inner) if said != OFF else ""
    return (said, found) if isinstance(found, Sweep) else None


def swept_by(checked: Checked, kernel: A.Kernel, inner: A.ForAll, of: Form | None) -> Sweep | str:
    """How a form, or any, may sweep a nested loop with the loop around it, or why it may not."""
    found = sweep_of(checked, kernel, inner)
    if of is None or not of.copies or isinstance(found, str):
        return found
    return found if copied(checked, found) else NOTHING


def uses_of_rows(checked: Checked, plan: Plan, guarded: bool = False) -> dict[A.ForAll, Laid]:
    """The nested loops that take their edges from such forms, of a program as it is generated; guarded: guard_loops has
    been over it."""
    found = {}
    for kernel in checked.kernels.values():
        for loop, place in nested_loops(kernel).items():
            name, options, swept = form_at(checked, kernel, loop, plan, place)
            of = row_of(checked, kernel, loop, guarded) if name and not swept else ""
            if isinstance(of, Row):
                found[loop] = Laid(name, options, of.incoming, of.graph, type_of(kernel, of.graph),
                                   weight_of(checked, loop), asks_place(checked, loop), 0, 0, "")
    return found


def type_of(kernel: A.Kernel, graph: str) -> str:
    """The type of a kernel's parameter."""
    return str(next(p.type for p in kernel.params if p.name == graph))
