"""The passes of the CPU target, in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.passes import collect_items, exchange_lists, group_edges, name_items, relax_sets, turn_direction, unique_names
from irgl.plan import Plan

Pass = Callable[[A.Program], A.Program]

#: Each pass by name, with why it stands where it does.
PASSES: tuple[tuple[str, Pass], ...] = (
    # First: all others may go by names, and move text into the block around it.
    ("unique_names", unique_names.run),
    # Then: later analyses see items, which have owners, instead of positions.
    ("name_items", name_items.run),
    # Then: it makes nested loops of flat ones, which the schedules by degree want to see.
    ("group_edges", group_edges.run),
)


def as_planned(checked: Checked, plan: Plan) -> Checked:
    """The program with the directions and the lists that a plan says: what its loops are when forms are chosen."""
    written, shared = checked, plan.text_of("frontier") == exchange_lists.SHARED
    checked = relax_sets.relaxed(written, turn_direction.turned(written, plan), plan)
    checked = collect_items.run(checked, plan)
    if shared and exchange_lists.why_not(written, exchange_lists.SHARED) is None:
        return replace(checked, buffer=int(plan.text_of("buffer")))
    return exchange_lists.exchanged(checked, plan)
