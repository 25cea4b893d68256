"""From a checked program and a plan to what CUDA code is generated from; and which choices of a plan are legal where.

The order: loops are turned round, iterations reach their end, nested loops come to the top of their operators, appends
are aggregated, Pipes are unrolled. Passes behind the first keep the loops' nesting and order, so that a place
(analysis/names/paths.py) means the same loop before and after; only what stands in an unrolled Pipe is there several
times, which is why that comes last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from irgl.analysis.check import check
from irgl.analysis.effects import beside
from irgl.analysis.flow.guards import can_guard
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.forms import find
from irgl.options import LISTS, OFF, SYNC
from irgl.passes import (
    aggregate_appends,
    bin_by_degree,
    collect_items,
    exchange_lists,
    guard_loops,
    lift_objects,
    sweep_edges,
    take_either,
    turn_continues,
    turn_direction,
    unroll_pipes,
)
from irgl.passes.lowering import search_rows, split_kernels
from irgl.passes.lowering.decisions import (
    Decision,
    appended,
    beside_lanes,
    collects,
    decisions,
    directions,
    filings,
    groups,
    honour,
    lists,
    packs,
    reduced,
    sections,
    sides,
    why_not_aggregated,
)
from irgl.passes.parts import back_off, intersections, outline_loops
from irgl.passes.parts.laid import ROWS, Laid, uses_of_rows
from irgl.passes.parts.make_room import Room, room
from irgl.passes.parts.only_on_cpus import refuse_what_the_cpu_alone_runs
from irgl.passes.parts.spread import kernel_of, loops, nested_loops, why_not_spread
from irgl.passes.queues import as_planned as queues
from irgl.passes.sets import relax_sets
from irgl.plan import Plan
from irgl.source import IrglError

#: Why an option means nothing at a nested loop that a plan has turned round.
_PULLS = "its loop pulls, one edge after the other"
#: And where its lists have become sets.
_PLACES = "in what it fills each node has a place"
_MARKED = "what it puts into lists is marked first"
#: And where they are sets that might be lists.
_ONE_BY_ONE = "it fills a set, which takes its nodes one by one"


@dataclass(frozen=True, slots=True)
class Lowered:
    """The lowered program, with what code generation needs to know beside it.

    turned: the program with the directions that the plan says, before anything else. bounds: by kernel and list.
    schedulers: of each nested loop over edges that a scheduler may run. by_lanes: the outermost loops whose iterations
    have so many lanes each, side by side along their vectors, once or several times. combine: of each outermost loop
    the level of its reductions. sweeps: the outermost loops that are swept over forms. row_forms: the nested ones that
    take a node's edges from forms. intersections: of each loop that calls `common`, how that goes through rows. waits:
    the kernels whose threads wait for each other under the plan, to copy values ahead of such a loop, to take its
    segments together, or to share edges out. backs_off: the outermost loops whose retried items do. outlined: the loops
    of the Program that become kernels. split: the kernels that the host runs loop by loop, and the kernel of each loop.
    groups: the statements of the Program that run side by side, apart: and its Sections that do. stages: the program
    after each pass.
    """

    checked: Checked
    turned: Checked
    bounds: dict[str, dict[str, tuple[Room, ...]]]
    schedulers: dict[A.ForAll, str]
    by_lanes: dict[A.ForAll, int]
    combine: dict[A.ForAll, str]
    sweeps: dict[A.ForAll, sweep_edges.Use]
    row_forms: dict[A.ForAll, Laid]
    intersections: dict[A.ForAll, str]
    waits: frozenset[str]
    backs_off: frozenset[A.ForAll]
    outlined: dict[A.Stmt, outline_loops.Outlined]
    split: Mapping[str, Mapping[A.ForAll, str]]
    groups: list[beside.Group]
    apart: dict[A.Sections, beside.Group]
    decisions: tuple[Decision, ...]
    stages: tuple[tuple[str, A.Program], ...]

    @property
    def laid(self) -> dict[A.ForAll, Laid]:
        """The nested loops that run over forms, and over which."""
        return {use.sweep.inner: use for use in self.sweeps.values()} | self.row_forms


def lower(checked: Checked, plan: Plan) -> Lowered:
    """The program lowered as the plan says, where that is legal."""
    refuse_what_the_cpu_alone_runs(checked)
    marking, searched = checked, frozenset[str]()
    stages, filed = [], [*filings(checked, plan)]
    searching = search_rows.run(checked)
    if searching is not checked.program:
        searched = search_rows.gone(checked)
        checked = check(searching)
        stages.append(("search_rows", checked.program))
    queued = queues.run_on_gpus(checked, plan)
    if any(d.value in (queues.LAZY, queues.SUMS) and d.reason is None for d in filed):
        stages.append(("file_lazily", queued.program))
    checked = queued
    first, kinds, written = checked, list(lists(checked, plan)), exchange_lists.exchanged(checked, plan)
    listed = relax_sets.relaxed(first, first, Plan((("dedup", "auto"),), plan.target))
    if written is not first:
        stages.append(("exchange_lists", written.program))
    ways = [*filed, *kinds, *packs(first, plan), *directions(written, plan)]
    asked_for, way = plan, turn_direction.turned(written, plan)
    if way is not written:
        stages.append(("turn_direction", way.program))
    either, plan = take_either.chosen(written, way, plan)
    if either is not way:
        stages.append(("take_either", either.program))
    way = either
    turned = relax_sets.relaxed(first, way, plan)
    if turned.program is not way.program:
        stages.append(("relax_sets", turned.program))
    dedup = turned.dedup
    ways += collects(turned, plan)
    collected = collect_items.run(turned, plan)
    marked = {d.place for d in ways
              if d.option == collect_items.OPTION and d.reason is None and d.value in DENSE}
    if marked:
        stages.append(("collect_items", collected.program))
    checked, plan = bin_by_degree.run(collected, plan)
    three = {b.place for b in bin_by_degree.binned(collected, asked_for).values()}
    if three:
        stages.append(("bin_by_degree", checked.program))
    if checked is not turned or way is not written:
        checked = check(lift_objects.run(checked), lowered=True)
        stages.append(("lift_objects", checked.program))
    lowered, retried = checked.lowered, back_off.reasons(checked)
    checked = check(turn_continues.run(checked.program), lowered=lowered)
    stages.append(("turn_continues", checked.program))
    decided = list(decisions(checked, plan, retried))
    ours = collected is first and not three and listed is first and marking is first
    before = decided if ours else _as_any_is_written((marking, first, listed, written), asked_for)
    before = [replace(d, reason=search_rows.WHY) if d.place in searched else d for d in before]
    asked = [*before, *_elsewhere(decided, before), *ways]  # legal as it is written, or at places that are new
    why = _PULLS if way is not written else _PLACES if written is not first else _ONE_BY_ONE
    gone = _elsewhere(before, decided)
    decided += [*(d if d.place.startswith(tuple(three)) or d.place in searched else replace(
        d, reason=_MARKED if d.place in marked else why) for d in gone), *ways]
    value = {(d.place, d.option): d.value for d in decided if d.reason is None}
    forms = swept_as(value, plan)
    if forms.settings:
        checked = check(sweep_edges.over_all(checked, forms), lowered=lowered)
    swept = sweep_edges.places(checked, forms)
    found = _rooms(checked, collected if three else None)
    lanes = beside_lanes(checked, plan)
    wanted = [
        loop
        for place, loop, around in nested_loops(checked)
        if why_not_spread(checked, loop, around) is None and around[0] not in lanes
        and (_scheduler(value, place, plan) != "serial" or place in swept
             or value.get((place, intersections.OPTION)) == intersections.WARP
             or _appends_together(checked, loop, value, place))
    ]
    checked = check(guard_loops.run(checked, [*wanted, *_exclusives(checked)]), lowered=lowered)
    stages.append(("guard_loops", checked.program))
    levels: dict[A.Stmt, str] = {}
    for k in checked.kernels.values():
        names = {loop: place for place, loop, _ in loops(k)}
        for site in aggregate_appends.sites(checked, k):
            level = appended(value.get((names[site.loop], "cc"), OFF))
            if level != OFF and why_not_aggregated(checked, k, site, level) is None:
                levels[site.stmt] = level
    checked = check(aggregate_appends.run(checked, levels), lowered=True)
    stages.append(("aggregate_appends", checked.program))
    standing = [*beside.places(checked).values()]
    times = {loop: int(value.get((place, "unroll"), "1")) for place, loop, _ in outline_loops.choices(checked)
             if isinstance(loop, A.Iterate | A.Pipe)}
    checked = check(unroll_pipes.run(checked.program, times), lowered=True)
    stages.append(("unroll_pipes", checked.program))
    by_lanes = beside_lanes(checked, plan)
    schedulers = {
        loop: _scheduler(value, place, plan)
        for place, loop, around in nested_loops(checked)
        if why_not_spread(checked, loop, around) is None and around[0] not in by_lanes
    }
    sweeps = sweep_edges.uses(checked, forms)
    waiting = [*(loop for loop, use in sweeps.items() if use.copied or use.is_segmented), *(
        loop for loop, how in schedulers.items() if how == "even")]
    waits = frozenset(kernel_of(checked, loop).name for loop in waiting)
    outlined = outline_loops.chosen(checked, plan, waits)
    outermost = {loop: place for k in checked.kernels.values() for place, loop, around in loops(k) if not around}
    rows = uses_of_rows(checked, forms, guarded=True)
    meets = {loop: word for k in checked.kernels.values()
             for loop, word in intersections.by_loop(checked, k, plan).items()}
    alone = outline_loops.launched(checked, outlined) - {kernel_of(checked, loop).name for loop in (*sweeps, *waiting)}
    split = split_kernels.run(checked, alone)
    if split.kernels:
        checked, outermost, schedulers = split.checked, split.also(outermost), split.also(schedulers)
        by_lanes = split.also(by_lanes)
        rows, meets = split.also(rows), split.also(meets)
        found |= {word: {} for words in split.kernels.values() for word in words.values()}
        stages.append(("split_kernels", checked.program))
    at = dict(zip(beside.places(checked), standing, strict=True))
    running = [*sides(checked, asked_for, at)]
    honour(asked_for, [*asked, *running])
    decided += running
    combine = {loop: reduced(plan.text_of("cc", place)) for loop, place in outermost.items()}
    backs_off = frozenset(loop for loop, place in outermost.items() if value.get((place, "retry")) == back_off.BACKOFF)
    usual = (*sweep_edges.OPTIONS, *turn_direction.OPTIONS, queues.OPTION, LISTS, "dedup", "stage",
             collect_items.OPTION, intersections.OPTION, SYNC)
    told = tuple(d for d in decided if d.option not in usual or d.value != plan.plain(d.option))
    told = tuple(d for d in told if d.option != LISTS or not d.place or plan.says(LISTS, d.place))
    checked.dedup = dedup
    return Lowered(checked, turned, found, schedulers, by_lanes, combine, sweeps, rows, meets, waits, backs_off,
                   outlined, split.kernels, groups(checked, asked_for, at), sections(checked, plan.target), told,
                   tuple(stages))


def _rooms(checked: Checked, whole: Checked | None) -> dict[str, dict[str, tuple[Room, ...]]]:
    """What the lists of each kernel need; `whole`: the program whose loops became three in `checked`, of which one
    appends no more than the three together."""
    found = {k.name: room(checked, k) for k in checked.kernels.values()}
    for name, rooms in found.items():
        if whole is not None:
            rooms |= room(whole, whole.kernels[name])
    return found


def _scheduler(value: Mapping[tuple[str, str], str], place: str, plan: Plan) -> str:
    """What runs a nested loop: the word of a plan, with what is left open to it in brackets; where that can't be
    applied, the option's default."""
    np = value.get((place, "np")) or plan.default("np")
    return f"{np}({value[place, 'stage']})" if np == "cut" else np


def _elsewhere(some: Iterable[Decision], others: Iterable[Decision]) -> list[Decision]:
    """Those of some at places, or of options there, that the others don't speak of."""
    known = {(d.place, d.option) for d in others}
    return [d for d in some if (d.place, d.option) not in known]


def _as_written(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """What the plan says of the loops of a program as it is written."""
    yield from decisions(check(turn_continues.run(checked.program)), plan, back_off.reasons(checked))


def _as_any_is_written(programs: Iterable[Checked], plan: Plan) -> list[Decision]:
    """The same, of programs whose lists are of different kinds: what is legal in one of them is so."""
    found: dict[tuple[str, str], Decision] = {}
    for checked in {id(p): p for p in programs}.values():
        for d in _as_written(checked, plan):
            known = found.get((d.place, d.option))
            if known is None or (known.reason is not None and d.reason is None):
                found[d.place, d.option] = d
    return list(found.values())


def _exclusives(checked: Checked) -> Iterator[A.Stmt]:
    """Every Exclusive, for which all threads meet. Raises IrglError for one that they can't reach together."""
    for k in checked.kernels.values():
        operators = [loop for _, loop, around in loops(k) if not around]
        for n in walk(k):
            if not isinstance(n, A.Exclusive):
                continue
            if not any(can_guard(operator, n) for operator in operators):
                raise IrglError("on a GPU all threads meet for an Exclusive, which they can't here", n.span,
                                "take it out of the loop or lock around it, and Retry the item; or use --target cpu")
            yield n


def swept_as(value: Mapping[tuple[str, str], str], plan: Plan) -> Plan:
    """A plan that says no more than which loops run over which form, with what is left open there."""
    laid = {place: name for (place, option), name in value.items() if option == "format" and name != ROWS}
    said = {(place, "format"): name for place, name in laid.items()}
    said |= {(place, o): value.get((place, o), plan.plain(o)) for place, name in laid.items()
             for o in find.form(name).options}
    return Plan(tuple((f"{place}.{option}", text) for (place, option), text in said.items()), plan.target)


def _appends_together(checked: Checked, loop: A.ForAll, value: dict[tuple[str, str], str], place: str) -> bool:
    if appended(value.get((place, "cc"), OFF)) not in ("warp", "block"):
        return False
    kernel = kernel_of(checked, loop)
    return any(s.loop is loop for s in aggregate_appends.sites(checked, kernel))
