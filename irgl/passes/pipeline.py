"""The passes of the CPU target, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.passes import (
    bin_by_degree,
    collect_items,
    exchange_lists,
    group_edges,
    name_items,
    take_either,
    turn_direction,
    unique_names,
)
from irgl.passes.queues import as_planned as queues
from irgl.passes.queues import file_updates, read_once
from irgl.passes.sets import relax_sets, store_claims
from irgl.plan import Plan

Pass = Callable[[A.Program], A.Program]

#: Each pass by name, with why it stands where it does.
PASSES: tuple[tuple[str, Pass], ...] = (
    # First: all others may go by names, and move text into the block around it.
    ("unique_names", unique_names.run),
    # Then: later analyses see items, which have owners, instead of positions.
    ("name_items", name_items.run),
    # Then: all that follows knows buckets alone.
    ("file_updates", file_updates.run),
    # Then: it makes nested loops of flat ones, which the schedules by degree want to see.
    ("group_edges", group_edges.run),
)


def as_planned(checked: Checked, plan: Plan) -> tuple[Checked, Plan]:
    """The program with the directions and the lists that a plan says, what its loops are when forms are chosen; and
    what the plan says of them."""
    _, after, said = [*planning(checked, plan)][-1]
    return after, said


def planning(checked: Checked, plan: Plan) -> Iterator[tuple[str, Checked, Plan]]:
    """The passes in which a CPU's plan has a say before forms are chosen, by name, with the program behind each, and
    what the plan says of that."""
    checked = queues.run(checked, plan)
    yield "queues", checked, plan
    written = exchange_lists.exchanged(checked, plan)
    yield "exchange_lists", written, plan
    way = turn_direction.turned(written, plan)
    yield "turn_direction", way, plan
    either, plan = take_either.chosen(written, way, plan)
    yield "take_either", either, plan
    listed = relax_sets.relaxed(written, either, plan)
    yield "relax_sets", listed, plan
    listed = store_claims.stored(written, listed, plan)
    yield "store_claims", listed, plan
    listed = read_once.run(listed)
    yield "read_once", listed, plan
    marking = collect_items.run(listed, plan)
    yield "collect_items", marking, plan
    binned, plan = bin_by_degree.run(marking, plan)
    yield "bin_by_degree", binned, plan
    yield "exchange_lists", exchange_lists.exchanged(binned, plan, (exchange_lists.SHARED,)), plan
