"""What a plan says of a program for GPUs at each place, and why it isn't applied where it can't be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from irgl.analysis.effects import beside
from irgl.analysis.effects.sections import apart
from irgl.analysis.effects.touched import called
from irgl.analysis.flow.outline import Loop
from irgl.analysis.loops.evens import why_not_cut
from irgl.analysis.loops.sweeps import WAY_OUT
from irgl.analysis.names.members import DENSE
from irgl.analysis.names.paths import outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.own import is_own
from irgl.analysis.vectors.beside import WARP, has_vectors, lanes_for, why_not_beside
from irgl.ast import nodes as A
from irgl.ast.visit import walk
from irgl.forms import find
from irgl.options import BUCKETS, EITHER, LISTS, OFF, SWITCH, SYNC, VEC
from irgl.passes import (
    aggregate_appends,
    bin_by_degree,
    collect_items,
    exchange_lists,
    sweep_edges,
    take_either,
    turn_direction,
    unroll_pipes,
)
from irgl.passes.aggregate_appends import Site
from irgl.passes.parts import intersections, outline_loops
from irgl.passes.parts.laid import ROWS
from irgl.passes.parts.list_groups import words
from irgl.passes.parts.packed import packed
from irgl.passes.parts.spread import kernel_of, loops, nested_loops, why_not_spread
from irgl.passes.queues import as_planned as queues
from irgl.passes.queues.parts import has_buckets
from irgl.passes.sets import relax_sets
from irgl.plan import Plan
from irgl.source import IrglError

#: Why no scheduler runs a nested loop of such an iteration.
WITH_LANES = "the lanes of its iteration take its edges, side by side along vectors"


@dataclass(frozen=True, slots=True)
class Decision:
    """One option at one place: its value there; `reason` says why it isn't applied, None: it is."""

    place: str
    option: str
    value: str
    reason: str | None


def lists(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """What a program's lists are, and how its sets know their nodes."""
    for place, reasons in exchange_lists.reasons(checked, {plan.plain(LISTS), *words(plan)}).items():
        kind = plan.text_of(LISTS, place)
        chooses = place and kind == EITHER
        yield Decision(place, LISTS, kind, reasons[kind] or (
            take_either.why_not_at(checked, plan, place) if chooses else None))
    if plan.text_of(BUCKETS) != plan.plain(BUCKETS):
        yield Decision("", BUCKETS, plan.text_of(BUCKETS), why_no_buckets(checked))
    word = plan.text_of("dedup")
    if word not in (relax_sets.AUTO, relax_sets.FLAGS):
        yield Decision("", "dedup", word, relax_sets.why_not(checked, word) or plan.idle("dedup"))


def filings(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """How nodes of priority queues are filed that the outermost loops of a program move."""
    for k in checked.kernels.values():
        for place, loop in outer_loops(k):
            word = plan.text_of(queues.OPTION, place)
            reason = queues.why_not(checked, k, loop, word) if word != queues.EAGER else None
            if checked.facts[k.name].worklist.by is not None or plan.says(queues.OPTION, place):
                yield Decision(place, queues.OPTION, word, reason)


def why_no_buckets(checked: Checked) -> str | None:
    """Why no lists of buckets lie apart; None: the program has buckets, or a queue."""
    return None if has_buckets(checked) else "the program has no buckets, and no priority queue"


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
                takes = name == SWITCH and plan.text_of(LISTS, place) == EITHER
                reason = None if takes and take_either.can_choose(checked, k, loop) else reasons[name]
                yield Decision(place, name, plan.text_of(name, place), reason or plan.idle(name, place)
                               or turn_direction.why_not_at(checked, plan, place))


def collects(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """Which loops mark first what they put into lists; whether they could is asked where the plan says so alone."""
    for k in checked.kernels.values():
        for place, loop in outer_loops(k):
            kind = plan.text_of(collect_items.OPTION, place)
            reason = collect_items.why_not(checked, k, loop) if kind in DENSE else None
            yield Decision(place, collect_items.OPTION, kind, reason or plan.idle(collect_items.OPTION, place))


def sides(checked: Checked, plan: Plan, at: Mapping[A.Stmt, str]) -> Iterator[Decision]:
    """Which statements of the Program wait for those before them; at: where they stand."""
    reasons = why_apart(checked, plan.target, at) if _is_asked(plan) else {}
    for s, place in at.items():
        yield Decision(place, SYNC, plan.text_of(SYNC, place), reasons.get(s))


def groups(checked: Checked, plan: Plan, at: Mapping[A.Stmt, str] | None = None) -> list[beside.Group]:
    """The statements of the Program that the plan has run beside those before them; at: where they stand, if the
    Program has come to others meanwhile."""
    if not _is_asked(plan):
        return []
    found = beside.grouped(checked, lambda place: plan.text_of(SYNC, place) == OFF, at, _alone(checked, plan.target))
    return [g for g in found.groups if len(g.parts) > 1]


def why_apart(checked: Checked, target: str, at: Mapping[A.Stmt, str] | None = None) -> dict[A.Stmt, str]:
    """Why statements of the Program run beside none before them, of those that a plan for a target can't have do so."""
    return beside.grouped(checked, at=at, more=_alone(checked, target)).reasons


def sections(checked: Checked, target: str) -> dict[A.Sections, beside.Group]:
    """The Sections whose parts run at once."""
    return apart(checked, _alone(checked, target))


def _is_asked(plan: Plan) -> bool:
    """Does the plan have any statement run beside others?"""
    return any(key.rpartition(".")[2] == SYNC and value == OFF for key, value in plan.settings)


def _alone(checked: Checked, target: str) -> Callable[[A.Stmt], str | None]:
    """Why a target runs a statement beside no other; None: it does."""
    return partial(_why_alone_on_a_gpu, checked) if target in ("cuda", "simt") else lambda _: None


def _why_alone_on_a_gpu(checked: Checked, s: A.Stmt) -> str | None:
    if any(is_own(checked, n) for part in called(checked, s) for n in walk(part)):
        return "its iterations have objects of their own, whose memory all kernels have together"
    return None


def honour(plan: Plan, decided: Sequence[Decision]) -> None:
    """Raises IrglError for an option that the plan sets at a place where it can't be applied."""
    known = {(d.place, d.option): d for d in decided}
    for place, option, value in plan.scoped:
        d = known.get((place, option))
        if d is None:
            places = [d.place for d in decided if d.option == option and d.place]
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
    lanes = beside_lanes(checked, plan)
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
        reason = reason or (WITH_LANES if around[0] in lanes else None)
        if np == bin_by_degree.BINS:
            reason = reason or bin_by_degree.why_not(checked, kernel_of(checked, loop), loop, around)
        if np == "even" and reason is None:
            waiting.add(kernel_of(checked, loop).name)
        yield Decision(place, "np", np, reason)
        yield Decision(place, "stage", plan.text_of("stage", place), reason or plan.idle("stage", place))
        yield from _formats(plan, place, refused, by_parts)
    yield from _vectors(checked, plan)
    for k in checked.kernels.values():
        names = {loop: place for place, loop, _ in loops(k)}
        told: set[str] = set()
        for site in aggregate_appends.sites(checked, k):
            place = names[site.loop]
            level = plan.text_of("cc", place)
            reason = why_not_aggregated(checked, k, site, appended(level))
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
        for place, loop, _ in loops(k):
            word = plan.text_of(intersections.OPTION, place)
            reason = intersections.why_not_laid(k, word, plan)
            yield Decision(place, intersections.OPTION, word, reason or intersections.why_not(
                checked, loop, word, plan.target))
    word = plan.text_of(intersections.OPTION)
    yield Decision("", intersections.OPTION, word, intersections.why_not_elsewhere(checked, word))
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


def _vectors(checked: Checked, plan: Plan) -> Iterator[Decision]:
    """Who has the values of vectors in each outermost loop that speaks of some."""
    for k in checked.kernels.values():
        for place, loop in outer_loops(k):
            if has_vectors(checked, loop) or plan.says(VEC, place):
                yield Decision(place, VEC, plan.text_of(VEC, place), _why_not_by_lanes(checked, plan, k, loop))


def _why_not_by_lanes(checked: Checked, plan: Plan, k: A.Kernel, loop: A.ForAll) -> str | None:
    nested = [(place, one, around) for place, one, around in loops(k) if around and around[0] is loop]
    if any(plan.text_of("format", place) != ROWS for place, _, _ in nested):
        return why_not_beside(checked, loop) or "its edges lie in another form than rows"
    if any(plan.says("np", place) and plan.text_of("np", place) != "serial"
           and why_not_spread(checked, one, around) is None for place, one, around in nested):
        return why_not_beside(checked, loop) or "the plan has a scheduler run its edges"
    return why_not_beside(checked, loop)


def beside_lanes(checked: Checked, plan: Plan) -> dict[A.ForAll, int]:
    """The outermost loops whose iterations have several lanes each, side by side along their vectors, and how many."""
    return {loop: WARP if plan.text_of(VEC, place) == "warp" else lanes_for(checked, loop)
            for k in checked.kernels.values() for place, loop in outer_loops(k)
            if plan.text_of(VEC, place) != "thread" and has_vectors(checked, loop)
            and _why_not_by_lanes(checked, plan, k, loop) is None}


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


def appended(level: str) -> str:
    """Among how many threads `cc` combines appends: a warp's take one atomic without a barrier."""
    return "warp" if level == "auto" else level


def reduced(level: str) -> str:
    """Among how many threads `cc` combines what a kernel's threads have reduced: once, when they are done."""
    return "block" if level == "auto" else level


def why_not_aggregated(checked: Checked, kernel: A.Kernel, site: Site, level: str) -> str | None:
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
