"""From a checked program and a plan to what CUDA code is generated from; and which choices of a plan are legal where.

The order: iterations reach their end, nested loops come to the top of their operators, appends are aggregated, Pipes
are unrolled. Passes keep the loops' nesting and order, so that a place (analysis/names/paths.py) means the same loop
before and after; only what stands in an unrolled Pipe is there several times, which is why that comes last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from irgl.analysis.check import check
from irgl.analysis.flow.guards import can_guard
from irgl.analysis.loops.sweeps import WAY_OUT
from irgl.analysis.names.methods import of_object
from irgl.analysis.names.paths import paths_of
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.own import is_own
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import children, walk
from irgl.forms import find
from irgl.passes import (
    aggregate_appends,
    back_off,
    guard_loops,
    outline_loops,
    sweep_edges,
    turn_continues,
    unroll_pipes,
)
from irgl.passes.aggregate_appends import Site
from irgl.passes.make_room import Room, room
from irgl.passes.only_on_cpus import refuse_what_the_cpu_alone_runs
from irgl.passes.parts.laid import ROWS
from irgl.plan import OFF, Plan
from irgl.source import IrglError


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

    bounds: by kernel and list. schedulers: of each nested loop over edges that a scheduler may run. combine: of each
    outermost loop the level of its reductions. sweeps: the outermost loops whose edges lie in forms. backs_off: the
    outermost loops whose retried items do. outlined: the loops of the Program that become kernels. stages: the program
    after each pass.
    """

    checked: Checked
    bounds: dict[str, dict[str, Room]]
    schedulers: dict[A.ForAll, str]
    combine: dict[A.ForAll, str]
    sweeps: dict[A.ForAll, sweep_edges.Use]
    backs_off: frozenset[A.ForAll]
    outlined: dict[A.Stmt, outline_loops.Outlined]
    decisions: tuple[Decision, ...]
    stages: tuple[tuple[str, A.Program], ...]


def lower(checked: Checked, plan: Plan) -> Lowered:
    """The program lowered as the plan says, where that is legal."""
    refuse_what_the_cpu_alone_runs(checked)
    stages = []
    retried = back_off.reasons(checked)
    checked = check(turn_continues.run(checked.program))
    stages.append(("turn_continues", checked.program))
    decided = list(decisions(checked, plan, retried))
    value = {(d.place, d.option): d.value for d in decided if d.reason is None}
    forms = swept_as(value, plan)
    if forms.settings:
        checked = check(sweep_edges.over_all(checked, forms))
    found = {k.name: room(checked, k) for k in checked.kernels.values()}
    wanted = [
        loop
        for place, loop, around in nested_loops(checked)
        if why_not_spread(checked, loop, around) is None
        and (value.get((place, "np"), "serial") != "serial" or forms.text_of("format", place) != ROWS
             or _appends_together(checked, loop, value, place))
    ]
    checked = check(guard_loops.run(checked, [*wanted, *_exclusives(checked)]))
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
    times = {loop: int(value.get((place, "unroll"), "1")) for place, loop, _ in outline_loops.choices(checked)}
    checked = check(unroll_pipes.run(checked.program, times), lowered=True)
    stages.append(("unroll_pipes", checked.program))
    schedulers = {
        loop: value.get((place, "np"), "serial")
        for place, loop, around in nested_loops(checked)
        if why_not_spread(checked, loop, around) is None
    }
    outlined = outline_loops.chosen(checked, plan)
    honour(plan, decided)
    outermost = {loop: place for k in checked.kernels.values() for place, loop, around in loops(k) if not around}
    combine = {loop: plan.text_of("cc", place) for loop, place in outermost.items()}
    backs_off = frozenset(loop for loop, place in outermost.items() if value.get((place, "retry")) == back_off.BACKOFF)
    told = tuple(d for d in decided if d.option not in sweep_edges.OPTIONS or d.value != plan.plain(d.option))
    return Lowered(checked, found, schedulers, combine, sweep_edges.uses(checked, forms), backs_off, outlined, told,
                   tuple(stages))


def swept_as(value: Mapping[tuple[str, str], str], plan: Plan) -> Plan:
    """A plan that says no more than which loops run over which form, with what is left open there."""
    swept = {place: name for (place, option), name in value.items() if option == "format" and name != ROWS}
    said = {(place, "format"): name for place, name in swept.items()}
    said |= {(place, o): value.get((place, o), plan.plain(o)) for place, name in swept.items()
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
    for place, loop, around in nested_loops(checked):
        reason = why_not_spread(checked, loop, around)
        refused = _why_not_swept(checked, loop, around, plan.text_of("format", place))
        if plan.text_of("format", place) != ROWS and refused is None:
            reason = "its edges are taken part by part"
        yield Decision(place, "np", plan.text_of("np", place), reason)
        yield from _formats(plan, place, refused)
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
    on_device = outline_loops.strategies(checked, plan)
    for place, node, reason in outline_loops.choices(checked):
        strategy = plan.text_of("outline", place)
        if reason is None and strategy == "graph":
            reason = outline_loops.why_no_graph(checked, node)
        yield Decision(place, "outline", strategy, reason)
        reason = _why_not_unrolled(node, on_device.get(node, OFF))
        yield Decision(place, "unroll", plan.text_of("unroll", place), reason)


def _formats(plan: Plan, place: str, refused: str | None) -> Iterator[Decision]:
    """The form that a nested loop runs over, and what it leaves open."""
    name = plan.text_of("format", place)
    yield Decision(place, "format", name, refused)
    for option in sweep_edges.OPTIONS[1:]:
        value = plan.text_of(option, place)
        if name == ROWS or option not in find.form(name).options:
            reason: str | None = f"it means nothing under format={name}"
        else:
            reason = refused or find.form(name).cpu_alone.get((option, value))
        yield Decision(place, option, value, reason)


def _why_not_swept(checked: Checked, loop: A.ForAll, around: tuple[A.ForAll, ...], name: str) -> str | None:
    if name == ROWS:
        return None
    if not find.has_header(name, "cuh"):
        return f"{name} has no header for CUDA"
    kernel = next(k for k in checked.kernels.values() if any(n is loop for n in walk(k)))
    reason = sweep_edges.why_not(checked, kernel, loop, name)
    return why_not_spread(checked, loop, around) if reason is None else reason.removesuffix(WAY_OUT)


def _returns(loop: A.ForAll) -> bool:
    return any(isinstance(n, A.ReduceAndReturn) for n in walk(loop))


def loops(kernel: A.Kernel) -> list[tuple[str, A.ForAll, tuple[A.ForAll, ...]]]:
    """Every ForAll of a kernel: its place, itself, and the ForAlls around it, from the outermost on."""
    found: list[tuple[str, A.ForAll, tuple[A.ForAll, ...]]] = []

    names = paths_of(kernel)

    def visit(node: A.Node, around: tuple[A.ForAll, ...]) -> None:
        if isinstance(node, A.ForAll):
            found.append((names[node], node, around))
            around = (*around, node)
        for child in children(node):
            visit(child, around)

    visit(kernel, ())
    return found


def nested_loops(checked: Checked) -> list[tuple[str, A.ForAll, tuple[A.ForAll, ...]]]:
    """The ForAlls of all kernels that stand in others."""
    return [one for k in checked.kernels.values() for one in loops(k) if one[2]]


def why_not_spread(checked: Checked, loop: A.ForAll, around: tuple[A.ForAll, ...]) -> str | None:
    """Why a scheduler can't spread this nested loop over the threads of its unit; None: it can."""
    t = checked.types[loop.iterator]
    if not (isinstance(t, T.Range) and isinstance(t.item, T.EdgeT)):
        return f"it runs over {T.bare(t)}, not over a node's edges"
    if isinstance(loop.iterator, A.Member) and of_object(checked, loop.iterator):
        return "it runs over the items of a list, not over a node's edges"
    if isinstance(loop.iterator, A.Name):
        return "it runs over edges that a variable names"
    for outer, inner in zip(around, (*around[1:], loop), strict=True):
        if not can_guard(outer, inner):
            return "a sequential loop or a lock stands around it"
        if outer is not around[0]:
            reason = why_not_spread(checked, outer, around[: around.index(outer)])
            if reason is not None:
                return f"the loop around it stays with one thread: {reason}"
    if any(isinstance(n, A.Name) and _is_scratch(checked, n) for s in loop.body for n in walk(s)):
        return "it uses the scratch set of its item's thread"
    inside = {checked.symbols[n] for n in walk(loop) if isinstance(n, A.VarDecl)}
    for n in (n for s in loop.body for n in walk(s) if isinstance(n, A.Name)):
        symbol = checked.symbols.get(n)
        if symbol is not None and symbol not in inside and symbol.depth > 0:
            if is_own(checked, n):
                return "it uses an object of its item's thread"
            if isinstance(symbol.type, T.Range):
                return "it uses a range that a variable of its item's thread names"
    return None


def _why_not_unrolled(loop: A.Iterate | A.Pipe, strategy: str) -> str | None:
    if strategy == OFF:
        return "it stays on the host, where a launch costs more than what is saved"
    if strategy == "graph":
        return "each copy would be one more kernel that every turn of the CUDA graph's loop runs"
    return unroll_pipes.why_not(loop)


def _is_scratch(checked: Checked, n: A.Name) -> bool:
    t = checked.types.get(n)
    return isinstance(t, T.Worklist) and t.kind == "scratch"


def _appends_together(checked: Checked, loop: A.ForAll, value: dict[tuple[str, str], str], place: str) -> bool:
    if value.get((place, "cc"), OFF) not in ("warp", "block"):
        return False
    kernel = next(k for k in checked.kernels.values() if any(n is loop for n in walk(k)))
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
