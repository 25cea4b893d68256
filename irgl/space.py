"""The legal space: which options of a plan apply to which places of a program, and why not to the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from irgl.analysis.check import check
from irgl.analysis.effects import beside
from irgl.analysis.loops.far_ends import far_ends
from irgl.analysis.names.paths import nested_loops, outer_loops
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.owners import Owners
from irgl.analysis.values.numbers import why_numbered
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.forms.find import form, names
from irgl.options import EITHER, FORM, LANES, LISTS, OFF, OPTIONS, SWITCH, SYNC, VEC, Option
from irgl.passes import (
    bin_by_degree,
    collect_items,
    exchange_lists,
    sweep_edges,
    take_either,
    turn_continues,
    turn_direction,
)
from irgl.passes.bin_by_degree import Binned
from irgl.passes.drive import as_planned as drive
from irgl.passes.drive import merging
from irgl.passes.lowering import search_rows
from irgl.passes.lowering.decisions import Decision, decisions, honour, why_apart, why_no_buckets
from irgl.passes.parts import back_off, intersections
from irgl.passes.parts.list_groups import speakers
from irgl.passes.parts.packed import packable, packed
from irgl.passes.parts.spread import loops
from irgl.passes.pipeline import as_planned
from irgl.passes.queues import as_planned as queues
from irgl.passes.queues.parts import has_buckets
from irgl.passes.sets import relax_sets
from irgl.plan import Plan
from irgl.source import IrglError


@dataclass(frozen=True, slots=True)
class Choice:
    """One option at one place. `reason` says why it isn't legal there; None: it is.

    values: what it may be set to there, where it takes words; numbers have their range (options.py). refused: other
    values with their reasons, where these differ. like: another place that speaks of the same, and has to say the same;
    '': there is none before it. under: other options of that place, and those of their values under which alone it is
    legal.
    """

    place: str
    option: str
    reason: str | None
    values: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    like: str = ""
    under: tuple[tuple[str, tuple[str, ...]], ...] = ()


def legal_space(program: A.Program, target: str = "cpu") -> list[Choice]:
    """Every option at every place where it could be set, in the order of the text (names/paths.py names places).

    On the CPU these are the parallel loops that a kernel runs by itself and those in them, and loops of the Program; on
    GPUs also nested loops, appends and reductions, and the whole (an empty place). Raises IrglError for a target that
    no plan speaks of.
    """
    checked = check(program)
    return [*_merges(checked, target), *_legal(checked, target), *_drives(checked, target)]


def _legal(checked: Checked, target: str) -> list[Choice]:
    """The same of a program whose loops are driven as they are to be."""
    if target in ("cuda", "simt"):
        return list(_on_gpus(checked, target))
    if target not in ("cpu", "ref"):
        raise IrglError(f"no target is called `{target}`", hint="targets: cpu, cuda, simt, ref")
    found = list(_on_cpus(checked))
    return found if target == "cpu" else [c if c.option == "auto" else replace(c, reason=_IN_TURN) for c in found]


def _drives(checked: Checked, target: str) -> Iterator[Choice]:
    """What may drive each loop of the Program."""
    for place, loop in drive.places(checked).items():
        if target == "ref":
            yield Choice(place, drive.OPTION, _IN_TURN, (drive.AS_WRITTEN,))
        else:
            yield _choice(place, drive.OPTION, {drive.AS_WRITTEN: None, **drive.reasons(checked, loop)})


def _merges(checked: Checked, target: str) -> Iterator[Choice]:
    """In which loops rounds need not wait for each other."""
    for place, kernel in merging.loops(checked).items():
        yield _choice(place, SYNC, {"on": None, OFF: _IN_TURN if target == "ref" else merging.why_not(checked, kernel)})


#: Why a form that a loop runs over leaves a hub's edges with one thread.
_BY_PARTS = "its edges are taken part by part"
#: Why the interpreter has no use for any option but for those that change its parameters.
_IN_TURN = "the reference interpreter runs one item after the other"


def _on_cpus(checked: Checked) -> Iterator[Choice]:
    for kernel in checked.kernels.values():
        for path, loop in outer_loops(kernel):
            yield from (Choice(path, o, None) for o in ("grain", "serial", "threads"))
            no_edges = _why_no_giants(loop)
            yield Choice(path, "giant", no_edges)
            yield Choice(path, "share", None, ("edges", *(["nodes"] if no_edges is None else []), "even"),
                         () if no_edges is None else (("nodes", no_edges),))
            yield from _direction(checked, kernel, path, loop)
            yield _collect(checked, kernel, path, loop)
            yield _filing(checked, kernel, path, loop)
        yield from _intersections(checked, kernel)
        for nested, path in nested_loops(kernel).items():
            yield _bins(checked, kernel, path)
            yield Choice(path, "prefetch", _why_not_ahead(checked, nested))
            yield _lanes(checked, kernel, path, nested)
            yield from _formats(checked, kernel, path, nested)
    yield _choice("", intersections.OPTION, {word: intersections.why_not_elsewhere(checked, word)
                                             for word in intersections.words("cpu")})
    yield Choice("", "fuse", _why_not_fused(checked))
    apart = next(o for o in OPTIONS["cpu"] if o.name == queues.BUCKETS)
    none = queues.why_no_buckets(checked)
    yield Choice("", apart.name, none, apart.words if none is None else (apart.plain,))
    lists = list(_lists(checked, "cpu"))
    yield from lists
    shared = dict(lists[0].refused).get(exchange_lists.SHARED)
    buffer = next(o for o in OPTIONS["cpu"] if o.name == "buffer")
    yield Choice("", "buffer", shared, buffer.words if shared is None else (buffer.plain,))
    yield _dedup(checked, "cpu")
    yield _pack(checked)
    yield from _beside(checked, "cpu")
    yield Choice("", "auto", _why_not_scaled(checked), next(o.words for o in OPTIONS["cpu"] if o.name == "auto"))
    yield _order(checked)


def _on_gpus(checked: Checked, target: str) -> Iterator[Choice]:
    """Where an option takes one of several words, those that are legal; the reason of the first where none is."""
    for kernel in checked.kernels.values():
        for path, loop in outer_loops(kernel):
            yield from _direction(checked, kernel, path, loop, target)
            yield _collect(checked, kernel, path, loop)
            yield _filing(checked, kernel, path, loop, target)
    yield from _lists(checked, target)
    yield _dedup(checked, target)
    reasons: dict[tuple[str, str], dict[str, str | None]] = {}
    searching = search_rows.run(checked)
    searched = check(searching) if searching is not checked.program else checked
    listed = relax_sets.relaxed(searched, searched, Plan((("dedup", "auto"),), target))
    for written in {id(p): p for p in (checked, searched, listed)}.values():
        here: dict[tuple[str, str], dict[str, str | None]] = {}
        retried = back_off.reasons(written)
        lowered = check(turn_continues.run(written.program))
        for option in (o for o in OPTIONS[target] if o.scopes):
            for value in _words(option):
                for d in decisions(lowered, _saying(option, value, target), retried):
                    if d.option == option.name:
                        known = here.setdefault((d.place, d.option), {})
                        known[value] = known.get(value) or d.reason
        for key, found in here.items():  # of lists and of sets what is legal for either
            reasons[key] = {v: r and found[v] for v, r in reasons.get(key, found).items()}
    gone = search_rows.gone(checked) if searched is not checked else ()
    for (place, name), values in reasons.items():
        if place in gone:
            values = dict.fromkeys(values, search_rows.WHY)
        option = next(o for o in OPTIONS[target] if o.name == name)
        legal = tuple(v for v, reason in values.items() if reason is None or v == option.plain)
        first = next((r for r in values.values() if r is not None), None)
        none = first if not option.words or legal in ((option.plain,), ()) else None
        refused = tuple((v, r) for v, r in values.items() if r is not None and v != option.plain)
        yield Choice(place, name, none, legal if option.words else (), refused if option.words else ())
    yield from (Choice("", o.name, why_no_buckets(checked) if o.name == queues.BUCKETS else None)
                for o in OPTIONS[target] if not (o.words or o.scopes or o.names))
    yield _pack(checked)
    yield from _beside(checked, target)
    yield _order(checked)


def _saying(option: Option, value: str, target: str) -> Plan:
    """A plan that says that, and what has to be said with it."""
    said = {option.name: value}
    if option.only_with is not None:
        said |= {option.only_with[0]: option.only_with[1][0]}
    if target in ("cuda", "simt") and option.name in ("np", "stage", "format"):  # a place of its own goes before lanes
        said[VEC] = "thread"
    return Plan(tuple(said.items()), target)


def _direction(checked: Checked, kernel: A.Kernel, path: str, loop: A.ForAll,
               target: str = "cpu") -> Iterator[Choice]:
    """Which way a loop may go along edges, and what may choose."""
    reasons = turn_direction.reasons(checked, kernel, loop)
    for option in (o for o in OPTIONS[target] if o.name in reasons):
        chooses = option.name == SWITCH and take_either.can_choose(checked, kernel, loop)
        reason = None if chooses else reasons[option.name]
        under = turn_direction.only_under(checked, kernel) if reason is None and not chooses else ()
        yield Choice(path, option.name, reason, option.words if reason is None else (option.plain,), under=under)


def _bins(checked: Checked, kernel: A.Kernel, path: str) -> Choice:
    """Whether a CPU may run the loop around a nested one as three."""
    option = next(o for o in OPTIONS["cpu"] if o.name == "np")
    inner, around = next((loop, around) for place, loop, around in loops(kernel) if place == path)
    reason = bin_by_degree.why_not(checked, kernel, inner, around)
    return Choice(path, option.name, reason, option.words if reason is None else (option.plain,))


def _intersections(checked: Checked, kernel: A.Kernel) -> Iterator[Choice]:
    """How the calls of `common` in each loop go through rows."""
    for path, loop, _ in loops(kernel):
        yield _choice(path, intersections.OPTION, {word: intersections.why_not(checked, loop, word, "cpu")
                                                   for word in intersections.words("cpu")})


def _choice(place: str, option: str, reasons: Mapping[str, str | None]) -> Choice:
    """A choice among words, with the reasons why not; the plain one, which comes first, stands where none is legal."""
    plain, *others = reasons
    if all(reasons[word] is not None for word in others):
        return Choice(place, option, reasons[others[0]], (plain,))
    legal = tuple(word for word in reasons if word == plain or reasons[word] is None)
    return Choice(place, option, None, legal, tuple((w, r) for w in others if (r := reasons[w]) is not None))


def _collect(checked: Checked, kernel: A.Kernel, path: str, loop: A.ForAll) -> Choice:
    """Whether what a loop puts into lists may be marked first."""
    option = next(o for o in OPTIONS["cpu"] if o.name == collect_items.OPTION)
    reason = collect_items.why_not(checked, kernel, loop)
    return Choice(path, option.name, reason, option.words if reason is None else (option.plain,))


def _filing(checked: Checked, kernel: A.Kernel, path: str, loop: A.ForAll, target: str = "cpu") -> Choice:
    """How nodes of a priority queue are filed that a loop moves."""
    option = next(o for o in OPTIONS[target] if o.name == queues.OPTION)
    reasons = {word: queues.why_not(checked, kernel, loop, word) for word in (queues.LAZY, queues.SUMS, queues.RELAXED)}
    refused = tuple((word, reason) for word, reason in reasons.items() if reason is not None)
    legal = tuple(word for word in option.words if reasons.get(word) is None)
    if legal == (option.plain,):
        return Choice(path, option.name, reasons[queues.LAZY], legal)
    return Choice(path, option.name, None, legal, refused)


def _lanes(checked: Checked, kernel: A.Kernel, path: str, loop: A.ForAll) -> Choice:
    """Whether a nested loop takes the rows of several nodes at once."""
    option = next(o for o in OPTIONS["cpu"] if o.name == LANES)
    reason = sweep_edges.why_no_lanes(checked, kernel, loop)
    return Choice(path, LANES, reason, option.words if reason is None else (option.plain,))


def _formats(checked: Checked, kernel: A.Kernel, path: str, loop: A.ForAll) -> Iterator[Choice]:
    """The forms that a nested loop may run over, and what they leave open."""
    option = next(o for o in OPTIONS["cpu"] if o.name == "format")
    reasons = {name: sweep_edges.why_not(checked, kernel, loop, name) for name in names()}
    refused = tuple((name, reason) for name, reason in reasons.items() if reason is not None)
    legal = (option.plain, *(name for name in names() if reasons[name] is None))
    yield Choice(path, option.name, refused[0][1] if legal == (option.plain,) and refused else None, legal, refused)
    for own in OPTIONS["cpu"]:
        if own.only_with is not None and own.name in sweep_edges.OPTIONS:
            why = [reasons[name] for name in own.only_with[1]]
            reason = None if None in why else why[0]
            only = {f.swept[1]: why_swept for name in own.only_with[1]
                    if (f := form(name)).swept is not None and f.swept[0] == own.name
                    and (why_swept := sweep_edges.why_not_swept(checked, kernel, loop, name)) is not None}
            values = tuple(w for w in own.words if w not in only) if reason is None else (own.plain,)
            yield Choice(path, own.name, reason, values if own.words else (),
                         tuple(only.items()) if reason is None else ())


def _lists(checked: Checked, target: str) -> Iterator[Choice]:
    """What the program's lists may be: all of them, and those that a loop reads or fills."""
    option = next(o for o in OPTIONS[target] if o.name == LISTS)
    like = speakers(checked)
    for place, reasons in exchange_lists.reasons(checked, option.words).items():
        refused = tuple((kind, reason) for kind, reason in reasons.items() if reason is not None)
        legal = tuple(kind for kind in option.words if reasons[kind] is None)
        reason = refused[0][1] if legal == (option.plain,) else None
        yield Choice(place, option.name, reason, legal, refused, like.get(place, ""))


def _dedup(checked: Checked, target: str) -> Choice:
    """How the program's sets know their nodes."""
    option = next(o for o in OPTIONS[target] if o.name == "dedup")
    reasons = {word: relax_sets.why_not(checked, word) for word in option.words if word != option.plain}
    refused = tuple((word, reason) for word, reason in reasons.items() if reason is not None)
    legal = tuple(word for word in option.words if reasons.get(word) is None)
    return Choice("", option.name, refused[0][1] if legal == (option.plain,) else None, legal, refused)


def _beside(checked: Checked, target: str) -> Iterator[Choice]:
    """Which statements of the Program may run beside those before them."""
    option = next(o for o in OPTIONS[target] if o.name == SYNC)
    reasons = why_apart(checked, target)
    for s, place in beside.places(checked).items():
        reason = reasons.get(s)
        yield Choice(place, option.name, reason, option.words if reason is None else (option.plain,))


def _order(checked: Checked) -> Choice:
    """The order of the nodes, which the program and all of its graphs share."""
    option = next(o for o in OPTIONS["cpu"] if o.name == "order")
    numbered = why_numbered(checked)
    return Choice("", option.name, *((None, option.words) if numbered is None else (str(numbered), (option.plain,))))


def _pack(checked: Checked) -> Choice:
    """The properties that may lie side by side, of each graph type all of them; any others of these may, too."""
    option = next(o for o in OPTIONS["cpu"] if o.name == "pack")
    together = ["+".join(names) for g in checked.graph_types.values() if len(names := packable(checked, g)) > 1]
    return Choice("", option.name, None if together else "no graph of the program has two properties of nodes that can "
                  "lie side by side", (option.plain, *together))


def _words(option: Option) -> list[str]:
    if not option.joined:
        return list(option.words or ((option.default,) if option.scopes else ()))
    joined = ["+".join(some) for k in range(1, len(option.joined) + 1) for some in combinations(option.joined, k)]
    plain, *rest = (w for w in option.words if w not in option.joined)
    return [plain, *joined, *rest]


def laid_out(checked: Checked, plan: Plan) -> list[Decision]:
    """What a plan's order of the nodes comes to; nothing where it is the graphs' own."""
    said = plan.text_of("order")
    return [Decision("", "order", said, _order(checked).reason)] if said != plan.plain("order") else []


def told(decided: Iterable[Decision]) -> tuple[list[str], list[str]]:
    """What of a plan applies where, and what doesn't with the reason, one line each."""
    lines = [(f"{d.place or 'the program'}: {d.option}={d.value}", d.reason) for d in decided]
    return [said for said, reason in lines if reason is None], [f"{said}: {r}" for said, r in lines if r is not None]


def driven(checked: Checked, plan: Plan) -> merging.Driven:
    """A program as a plan drives its loops, and what else of the plan holds there.

    What it says of one place that is legal as the program is written, and not as its loops are driven, isn't applied.
    Raises IrglError for a loop of which the plan alone says what can't be honoured.
    """
    made = drive.driven(checked, plan)
    if not made.stages or not made.plan.scoped:
        return made
    written, now = (_by_place(_legal(c, plan.target)) for c in (checked, made.checked))
    lost = {f"{place}.{option}": Decision(place, option, value, reason) for place, option, value in made.plan.scoped
            if _refused(written.get((place, option)), value) is None
            and (reason := _refused(now.get((place, option)), value)) is not None}
    kept = Plan(tuple(pair for pair in made.plan.settings if pair[0] not in lost), plan.target)
    return replace(made, plan=kept, decisions=(*made.decisions, *lost.values()))


def _by_place(choices: Iterable[Choice]) -> dict[tuple[str, str], Choice]:
    return {(c.place, c.option): c for c in choices}


def _refused(c: Choice | None, value: str) -> str | None:
    """Why a choice doesn't take a value; None: it does."""
    if c is None:
        return "the loop runs otherwise, as it is driven"
    return dict(c.refused).get(value, c.reason)


def report(program: A.Program, plan: Plan, target: str = "cpu") -> tuple[list[str], list[str]]:
    """What of a CPU's plan applies where, and what doesn't with the reason, one line each.

    What stands as it always does, whether plans are optimized or not, isn't told. Raises IrglError for an option that
    the plan sets at a place where it can't be honoured, and for properties that it can't lay side by side.
    """
    written = check(program)
    before = (*_merges(written, target), *_drives(written, target)) if target == "ref" else ()
    choices = [*_legal(written, target), *before]
    packed(written, plan)
    said_of = {key.rpartition(".")[2] for key, _ in plan.settings} if target == "cpu" else set()
    checked = as_planned(written, plan)[0] if said_of & {FORM, LANES} else None
    turned, three = _loops_as_planned(written, plan) if target == "cpu" else (written, [])
    if checked is not None:
        formats = _formats_as_planned(checked, three)
        laid = {c.place: f"it means nothing under format={said}" for c in formats if c.option == "format"
                and (said := plan.text_of(c.option, c.place)) != plan.plain(c.option) and said in c.values}
        laid |= {c.place: f"it means nothing under {LANES}={said}" for c in choices if c.option == LANES
                 and c.reason is None and c.place not in laid and plan.idle(LANES, c.place) is None
                 and (said := plan.text_of(LANES, c.place)) != OFF}
        choices = [*(replace(c, reason=c.reason or laid[c.place]) if c.option == "prefetch" and c.place in laid else c
                     for c in choices if c.option not in sweep_edges.OPTIONS), *formats]
    of_turned = list(_on_cpus(turned)) if turned is not written else []
    choices += _of_second_halves(of_turned, plan, choices)
    decided = [Decision(c.place, c.option, said, _why_not_said(written, plan, c, said)) for c in choices
               for said in (plan.text_of(c.option, c.place),)]
    honour(plan, decided)
    if of_turned:
        decided = _where_turned(of_turned, three, decided)
    if checked is not None:
        decided = _where_swept(checked, plan, decided)
    usual = {(o.name, value) for o in plan.options for value in (o.plain, o.default) if o.plain == o.default or o.quiet}
    return told(d for d in decided if (d.option, d.value) not in usual
                and (d.option != LISTS or not d.place or plan.says(LISTS, d.place)))


def _loops_as_planned(checked: Checked, plan: Plan) -> tuple[Checked, list[Binned]]:
    """The program whose loops are turned round, choose, and are three, as a plan says, and those that are three; its
    lists are as written."""
    either, said = take_either.chosen(checked, turn_direction.turned(checked, plan), plan)
    return bin_by_degree.run(either, said)[0], [*bin_by_degree.binned(either, said).values()]


def _of_second_halves(turned: Iterable[Choice], plan: Plan, choices: Iterable[Choice]) -> list[Choice]:
    """What is said for a place that a plan alone makes: the pulling half of a hybrid loop, one of three."""
    missing = {(place, option) for place, option, _ in plan.scoped} - {(c.place, c.option) for c in choices}
    return [c for c in turned if (c.place, c.option) in missing]


def _formats_as_planned(checked: Checked, three: Iterable[Binned]) -> list[Choice]:
    """What is said of forms where loops pull and lists are sets, as a plan has them; of a loop that is three, too."""
    found = [c for k in checked.kernels.values() for loop, path in nested_loops(k).items()
             for c in _formats(checked, k, path, loop)]
    at = {b.nested_in(bin_by_degree.SIZES[0][0]): b.nested for b in three}
    return found + [replace(c, place=at[c.place]) for c in found if c.place in at]


def _where_turned(turned: Iterable[Choice], three: Iterable[Binned], decided: list[Decision]) -> list[Decision]:
    """The same where loops run in the place of turned ones, and of those that are three."""
    found = {(c.place, c.option): c.reason for c in turned}
    stays = (*turn_direction.OPTIONS, *sweep_edges.OPTIONS, LISTS, "np", queues.OPTION)
    holds = {place for b in three for place in (b.place, b.nested)}  # for each of the three

    def gone(place: str) -> str | None:
        return None if place in holds else "its loop pulls, one edge after the other"

    return [d if d.option in stays or d.reason is not None or not d.place else
            replace(d, reason=found.get((d.place, d.option), gone(d.place))) for d in decided]


def _where_swept(checked: Checked, plan: Plan, decided: list[Decision]) -> list[Decision]:
    """The same where a form takes a loop's edges part by part."""
    swept = sweep_edges.places(checked, plan)
    return [replace(d, reason=_BY_PARTS) if d.option == "giant" and d.place in swept and d.reason is None
            and d.value != plan.plain(d.option) else d for d in decided]


def _why_not_said(checked: Checked, plan: Plan, c: Choice, said: str) -> str | None:
    """Why what a plan says isn't honoured at a place; None: it is."""
    idle = plan.idle(c.option, c.place) if c.reason is None and c.option != "prefetch" else None  # see report
    reason = idle or dict(c.refused).get(said, c.reason)
    if reason is None and c.option in turn_direction.OPTIONS and c.place:
        return turn_direction.why_not_at(checked, plan, c.place)
    if reason is None and c.option == LISTS and said == EITHER and c.place:
        return take_either.why_not_at(checked, plan, c.place)
    return reason


def _why_no_giants(loop: A.ForAll) -> str | None:
    if any(isinstance(n, A.ForAll) and _over_edges(n) for s in loop.body for n in walk(s)):
        return None
    return "no ForAll over a node's edges in this loop"


def _over_edges(loop: A.ForAll) -> bool:
    return any(isinstance(n, A.Member) and n.name in ("edges", "out_edges", "in_edges") for n in walk(loop.iterator))


def _why_not_ahead(checked: Checked, loop: A.ForAll) -> str | None:
    if far_ends(checked, loop):
        return None
    if Owners(checked).base_of_loop(loop) is None:
        return f"it runs over {T.bare(checked.types[loop.iterator])}, not over a node's edges"
    return "it uses nothing of the nodes at the other ends of its edges"


def _why_not_fused(checked: Checked) -> str | None:
    if has_buckets(checked) or any(isinstance(n, A.Respawn) for n in walk(checked.program)):
        return None
    return "nothing comes back to the thread that pushed it: there are no buckets, and no Respawn"


def _why_not_scaled(checked: Checked) -> str | None:
    params = checked.entry.params if checked.entry is not None else ()
    if any(isinstance(p.default, A.Call) and p.default.function == "auto" and isinstance(p.type, T.Int | T.Float)
           for p in params):
        return None
    return "no parameter's default is a number auto(...)"
