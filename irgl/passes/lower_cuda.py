"""From a checked program and a plan to what CUDA code is generated from; and which choices of a plan are legal where.

The order: loops are turned round, iterations reach their end, nested loops come to the top of their operators, appends
are aggregated, Pipes are unrolled. Passes behind the first keep the loops' nesting and order, so that a place
(analysis/names/paths.py) means the same loop before and after; only what stands in an unrolled Pipe is there several
times, which is why that comes last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from irgl.analysis.check import check
from irgl.analysis.flow.guards import can_guard
from irgl.analysis.flow.outline import Loop
from irgl.analysis.loops.evens import why_not_cut
from irgl.analysis.loops.sweeps import WAY_OUT
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.forms import find
from irgl.options import OFF
from irgl.passes import (
    aggregate_appends,
    bin_by_degree,
    collect_items,
    exchange_lists,
    guard_loops,
    lift_objects,
    relax_sets,
    sweep_edges,
    turn_continues,
    turn_direction,
    unroll_pipes,
)
from irgl.passes.aggregate_appends import Site
from irgl.passes.parts import back_off, outline_loops
from irgl.passes.parts.laid import ROWS, Laid, uses_of_rows
from irgl.passes.parts.make_room import Room, room
from irgl.passes.parts.only_on_cpus import refuse_what_the_cpu_alone_runs
from irgl.passes.parts.packed import packed
from irgl.passes.parts.spread import kernel_of, loops, nested_loops, why_not_spread
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
class Decision:
    """One option at one place: its value there; `reason` says why it isn't applied, None: it is."""

    place: str
    option: str
    value: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Lowered:
    """The lowered program, with what code generation needs to know beside it.

    turned: the program with the directions that the plan says, before anything else. bounds: by kernel and list.
    schedulers: of each nested loop over edges that a scheduler may run. combine: of each outermost loop the level of
    its reductions. sweeps: the outermost loops that are swept over forms. row_forms: the nested ones that take a node's
    edges from forms. waits: the kernels whose threads wait for each other under the plan, to copy values ahead of such
    a loop, to take its segments together, or to share edges out. backs_off: the outermost loops whose retried items do.
    outlined: the loops of the Program that become kernels. stages: the program after each pass.
    """

    checked: Checked
    turned: Checked
    bounds: dict[str, dict[str, tuple[Room, ...]]]
    schedulers: dict[A.ForAll, str]
    combine: dict[A.ForAll, str]
    sweeps: dict[A.ForAll, sweep_edges.Use]
    row_forms: dict[A.ForAll, Laid]
    waits: frozenset[str]
    backs_off: frozenset[A.ForAll]
    outlined: dict[A.Stmt, outline_loops.Outlined]
    decisions: tuple[Decision, ...]
    stages: tuple[tuple[str, A.Program], ...]

    @property
    def laid(self) -> dict[A.ForAll, Laid]:
        """The nested loops that run over forms, and over which."""
        return {use.sweep.inner: use for use in self.sweeps.values()} | self.row_forms


def lower(checked: Checked, plan: Plan) -> Lowered:
    """The program lowered as the plan says, where that is legal."""
    refuse_what_the_cpu_alone_runs(checked)
    stages = []
    first, kinds, written = checked, list(lists(checked, plan)), exchange_lists.exchanged(checked, plan)
    listed = relax_sets.relaxed(first, first, Plan((("dedup", "auto"),), plan.target))
    if written is not first:
        stages.append(("exchange_lists", written.program))
    ways = [*kinds, *packs(first, plan), *directions(written, plan)]
    asked_for, way = plan, turn_direction.turned(written, plan)
    if way is not written:
        stages.append(("turn_direction", way.program))
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
    ours = collected is first and not three and listed is first
    before = decided if ours else _as_any_is_written((first, listed, written), asked_for)
    asked = [*before, *_elsewhere(decided, before), *ways]  # legal as it is written, or at places that are new
    why = _PULLS if way is not written else _PLACES if written is not first else _ONE_BY_ONE
    gone = _elsewhere(before, decided)
    decided += [*(d if d.place.startswith(tuple(three)) else replace(d, reason=_MARKED if d.place in marked else why)
                  for d in gone), *ways]
    value = {(d.place, d.option): d.value for d in decided if d.reason is None}
    forms = swept_as(value, plan)
    if forms.settings:
        checked = check(sweep_edges.over_all(checked, forms), lowered=lowered)
    swept = sweep_edges.places(checked, forms)
    found = _rooms(checked, collected if three else None)
    wanted = [
        loop
        for place, loop, around in nested_loops(checked)
        if why_not_spread(checked, loop, around) is None
        and (value.get((place, "np"), "serial") != "serial" or place in swept
             or _appends_together(checked, loop, value, place))
    ]
    checked = check(guard_loops.run(checked, [*wanted, *_exclusives(checked)]), lowered=lowered)
    stages.append(("guard_loops", checked.program))
    levels: dict[A.Stmt, str] = {}
    for k in checked.kernels.values():
        names = {loop: place for place, loop, _ in loops(k)}
        for site in aggregate_appends.sites(checked, k):
            level = value.get((names[site.loop], "cc"), OFF)
            if level != OFF and _why_not_aggregated(checked, k, site, level) is None:
                levels[site.stmt] = level
    checked = check(aggregate_appends.run(checked, levels), lowered=True)
    stages.append(("aggregate_appends", checked.program))
    times = {loop: int(value.get((place, "unroll"), "1")) for place, loop, _ in outline_loops.choices(checked)
             if isinstance(loop, A.Iterate | A.Pipe)}
    checked = check(unroll_pipes.run(checked.program, times), lowered=True)
    stages.append(("unroll_pipes", checked.program))
    schedulers = {
        loop: _scheduler(value, place)
        for place, loop, around in nested_loops(checked)
        if why_not_spread(checked, loop, around) is None
    }
    sweeps = sweep_edges.uses(checked, forms)
    waiting = [*(loop for loop, use in sweeps.items() if use.copied or use.is_segmented), *(
        loop for loop, how in schedulers.items() if how == "even")]
    waits = frozenset(kernel_of(checked, loop).name for loop in waiting)
    outlined = outline_loops.chosen(checked, plan, waits)
    honour(asked_for, asked)
    outermost = {loop: place for k in checked.kernels.values() for place, loop, around in loops(k) if not around}
    combine = {loop: plan.text_of("cc", place) for loop, place in outermost.items()}
    backs_off = frozenset(loop for loop, place in outermost.items() if value.get((place, "retry")) == back_off.BACKOFF)
    usual = (*sweep_edges.OPTIONS, *turn_direction.OPTIONS, "frontier", "dedup", "stage", collect_items.OPTION)
    told = tuple(d for d in decided if d.option not in usual or d.value != plan.plain(d.option))
    checked.dedup = dedup
    return Lowered(checked, turned, found, schedulers, combine, sweeps,
                   uses_of_rows(checked, forms, guarded=True), waits, backs_off, outlined, told, tuple(stages))


def _rooms(checked: Checked, whole: Checked | None) -> dict[str, dict[str, tuple[Room, ...]]]:
    """What the lists of each kernel need; `whole`: the program whose loops became three in `checked`, of which one
    appends no more than the three together."""
    found = {k.name: room(checked, k) for k in checked.kernels.values()}
    for name, rooms in found.items():
        if whole is not None:
            rooms |= room(whole, whole.kernels[name])
    return found


def _scheduler(value: Mapping[tuple[str, str], str], place: str) -> str:
    """What runs a nested loop: the word of a plan, with what is left open to it in brackets."""
    np = value.get((place, "np"), "serial")
    return f"{np}({value[place, 'stage']})" if np == "cut" else np


def lists(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """What a program's lists are, and how its sets know their nodes."""
    kind, word = plan.text_of("frontier"), plan.text_of("dedup")
    yield Decision("", "frontier", kind, exchange_lists.why_not(checked, kind) if kind in DENSE else None)
    if word not in (relax_sets.AUTO, relax_sets.FLAGS):
        yield Decision("", "dedup", word, relax_sets.why_not(checked, word) or plan.idle("dedup"))


def packs(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """Which properties lie side by side. Raises IrglError for those that can't."""
    if packed(checked, plan):
        yield Decision("", "pack", plan.text_of("pack"), None)


def directions(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """Which way each outermost loop of a program goes along edges."""
    for k in checked.kernels.values():
        for place, loop in outer_loops(k):
            reasons = turn_direction.reasons(checked, k, loop)
            for name in (o.name for o in plan.options if o.name in reasons):
                yield Decision(place, name, plan.text_of(name, place), reasons[name] or plan.idle(name, place))


def collects(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """Which loops mark first what they put into lists; whether they could is asked where the plan says so alone."""
    for k in checked.kernels.values():
        for place, loop in outer_loops(k):
            kind = plan.text_of(collect_items.OPTION, place)
            reason = collect_items.why_not(checked, k, loop) if kind in DENSE else None
            yield Decision(place, collect_items.OPTION, kind, reason or plan.idle(collect_items.OPTION, place))


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


def swept_as(value: Mapping[tuple[str, str], str], plan: Plan) -> Plan:
    """A plan that says no more than which loops run over which form, with what is left open there."""
    laid = {place: name for (place, option), name in value.items() if option == "format" and name != ROWS}
    said = {(place, "format"): name for place, name in laid.items()}
    said |= {(place, o): value.get((place, o), plan.plain(o)) for place, name in laid.items()
             for o in find.form(name).options}
    return Plan(tuple((f"{place}.{option}", text) for (place, option), text in said.items()), plan.target)


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


def honour(plan: Plan, decided: Sequence[Decision]) -> None:
    """Raises IrglError for an option that the plan sets at a place where it can't be applied."""
    known = {(d.place, d.option): d for d in decided}
    for place, option, value in plan.scoped:
        d = known.get((place, option))
        if d is None:
            places = [d.place for d in decided if d.option == option]
            raise IrglError(f"the plan sets `{option}` for `{place}`, which is no place for it",
                            hint=f"places: {', '.join(dict.fromkeys(places)) or 'there are none in this program'}")
        if d.reason is not None and value != plan.plain(option):
            raise IrglError(f"`{place}.{option}={value}` can't be honoured: {d.reason}",
                            hint=f"leave it out; `{option}={value}` alone applies wherever it is legal")


def decisions(checked: Checked, plan: Plan, retried: Mapping[str, str | None]) -> Iterator[Decision]:
    """What the plan says at each place where it says anything, and why that is not applied where it can't be.

    `checked` has its continues turned, and its Retries with them: `retried` is what back_off said before.
    """
    waiting: set[str] = set()
    for place, loop, around in nested_loops(checked):
        reason = why_not_spread(checked, loop, around)
        name = plan.text_of("format", place)
        refused, by_parts = _why_not_laid(checked, loop, name), _why_not_swept(checked, loop, around, name)
        if name != ROWS and refused is None and by_parts is None and _waits(plan, place, name):
            waiting.add(kernel_of(checked, loop).name)
        if name != ROWS and refused is None and by_parts is None and _is_swept(plan, place, name):
            reason = "its edges are taken part by part"
        np = plan.text_of("np", place)
        reason = reason or (_why_not_even(checked, loop, around) if np == "even" else None)
        if np == bin_by_degree.BINS:
            reason = reason or bin_by_degree.why_not(checked, kernel_of(checked, loop), loop, around)
        if np == "even" and reason is None:
            waiting.add(kernel_of(checked, loop).name)
        yield Decision(place, "np", np, reason)
        yield Decision(place, "stage", plan.text_of("stage", place), reason or plan.idle("stage", place))
        yield from _formats(plan, place, refused, by_parts)
    for k in checked.kernels.values():
        names = {loop: place for place, loop, _ in loops(k)}
        told: set[str] = set()
        for site in aggregate_appends.sites(checked, k):
            place = names[site.loop]
            level = plan.text_of("cc", place)
            reason = _why_not_aggregated(checked, k, site, level)
            if place not in told or reason is not None:
                yield Decision(place, "cc", level, reason)
            told.add(place)
        for loop in dict.fromkeys(aggregate_appends.appends_of_use(checked, k)):
            yield Decision(names[loop], "cc", plan.text_of("cc", names[loop]), "the append's value is used")
            told.add(names[loop])
        for place, loop, around in loops(k):
            if place not in told and not around and (checked.combined[loop] or _returns(loop)):
                yield Decision(place, "cc", plan.text_of("cc", place), None)
            if not around:
                yield Decision(place, "retry", plan.text_of("retry", place), retried[k.name])
    on_device = outline_loops.strategies(checked, plan, waiting)
    for place, node, reason in outline_loops.choices(checked):
        strategy = plan.text_of("outline", place)
        if reason is None and strategy == "graph":
            reason = outline_loops.why_no_graph(checked, node, waiting)
        yield Decision(place, "outline", strategy, reason)
        reason = _why_not_unrolled(node, on_device.get(node, OFF))
        yield Decision(place, "unroll", plan.text_of("unroll", place), reason)
        reason = _why_no_blocks(on_device.get(node, OFF))
        yield Decision(place, "blocks", plan.text_of("blocks", place), reason)


def _is_swept(plan: Plan, place: str, name: str) -> bool:
    """Does a form serve as a sweep alone, with what the plan says of it there?"""
    of = find.form(name)
    return of.is_swept({o: plan.text_of(o, place) for o in of.options})


def _waits(plan: Plan, place: str, name: str) -> bool:
    """Do all threads of the grid wait for each other in a sweep over the form, with what the plan says of it there?"""
    of = find.form(name)
    return of.copies or of.is_segmented({o: plan.text_of(o, place) for o in of.options})


def _formats(plan: Plan, place: str, refused: str | None, by_parts: str | None) -> Iterator[Decision]:
    """The form that a nested loop runs over, and what it leaves open; by_parts: why that can't be swept."""
    name = plan.text_of("format", place)
    if refused is None and name != ROWS and find.form(name).kind == "sweep":
        refused = by_parts
    yield Decision(place, "format", name, refused)
    for option in sweep_edges.OPTIONS[1:]:
        value = plan.text_of(option, place)
        if name == ROWS or option not in find.form(name).options:
            reason: str | None = f"it means nothing under format={name}"
        else:
            reason = refused or find.form(name).cpu_alone.get((option, value))
            reason = reason or (by_parts if (option, value) == find.form(name).swept else None)
        yield Decision(place, option, value, reason)


def _why_not_laid(checked: Checked, loop: A.ForAll, name: str) -> str | None:
    """Why a nested loop can't take its edges from a form, whatever that leaves open."""
    if name == ROWS:
        return None
    if not find.has_header(name, "cuh"):
        return f"{name} has no header for CUDA"
    if find.form(name).kind == "sweep":
        return None
    return sweep_edges.why_not(checked, kernel_of(checked, loop), loop, name)


def _why_not_swept(checked: Checked, loop: A.ForAll, around: tuple[A.ForAll, ...], name: str) -> str | None:
    """Why a nested loop can't take its edges part by part, in that form or, for rows, in any."""
    reason = sweep_edges.why_not_swept(checked, kernel_of(checked, loop), loop, name if name != ROWS else "")
    return why_not_spread(checked, loop, around) if reason is None else reason.removesuffix(WAY_OUT)


def _returns(loop: A.ForAll) -> bool:
    return any(isinstance(n, A.ReduceAndReturn) for n in walk(loop))


def _why_not_even(checked: Checked, loop: A.ForAll, around: tuple[A.ForAll, ...]) -> str | None:
    """Why the blocks of a grid can't have equal shares of the loop's edges."""
    if any(s.loop is loop and s.countable for s in aggregate_appends.sites(checked, kernel_of(checked, loop))):
        return "each of its edges appends, for which room is taken for all of a node's edges at once"
    return why_not_cut(checked, around, loop)


def _why_not_unrolled(loop: Loop, strategy: str) -> str | None:
    if strategy == OFF:
        return "it stays on the host, where a launch costs more than what is saved"
    if strategy == "graph":
        return "each copy would be one more kernel that every turn of the CUDA graph's loop runs"
    if not isinstance(loop, A.Iterate | A.Pipe):
        return "only the round of a Pipe or Iterate is repeated, which ends where its list is empty"
    return unroll_pipes.why_not(loop)


def _why_no_blocks(strategy: str) -> str | None:
    if strategy == OFF:
        return "it stays on the host, whose launches are as large as their work"
    if strategy == "graph":
        return "the kernels of a CUDA graph have as many blocks as run at once"
    return None


def _appends_together(checked: Checked, loop: A.ForAll, value: dict[tuple[str, str], str], place: str) -> bool:
    if value.get((place, "cc"), OFF) not in ("warp", "block"):
        return False
    kernel = kernel_of(checked, loop)
    return any(s.loop is loop for s in aggregate_appends.sites(checked, kernel))


def _why_not_aggregated(checked: Checked, kernel: A.Kernel, site: Site, level: str) -> str | None:
    for form in () if level == OFF else (aggregate_appends.FORMS[level], "task"):
        if form not in site.forms:
            return f"its library names no {form}() form of it"
    around = next(a for _, loop, a in loops(kernel) if loop is site.loop)
    direct = any(s is site.stmt for s in site.loop.body)
    if not direct and not aggregate_appends.in_plain_flow(site.loop, site):
        return "the append stands in a sequential loop or under a lock"
    if aggregate_appends.is_read_beside(checked, around[0] if around else site.loop, site):
        return "the loop also reads what it appends to"
    if around:
        reason = why_not_spread(checked, site.loop, around)
        if reason is not None:
            return f"the append's loop stays with one thread: {reason}"
    if level == "thread" and not (direct and site.countable and around):
        return "a thread appends at most one item at a time here"
    return None
