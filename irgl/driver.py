"""From a source text to a checked, transformed and generated program: the one place that walks the whole street."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from irgl import __version__
from irgl.analysis.check import check, require_entry
from irgl.analysis.effects.in_edges import in_edges_used, weights_of_in_edges
from irgl.analysis.effects.sorted_rows import wants_sorted_rows
from irgl.analysis.fingerprint import fingerprint
from irgl.analysis.loops.direction import searches
from irgl.analysis.loops.ends_read import ends_read
from irgl.analysis.loops.gathers import gathers
from irgl.analysis.loops.spreads import spreads
from irgl.analysis.names.symbols import Checked
from irgl.analysis.types.entry import is_mesh
from irgl.analysis.values.numbers import why_numbered
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.dump import dump
from irgl.ast.dump_python import dump_python
from irgl.ast.properties import takes_weights
from irgl.ast.tree import tree
from irgl.codegen.cuda import unit as cuda
from irgl.codegen.cxx.rounds import Noted, noted_loops, places_of
from irgl.codegen.openmp import unit as openmp
from irgl.codegen.openmp.sites import Site, Sites, invocations, noted_places, sites_of
from irgl.frontends.load import load, open_source, source_of
from irgl.frontends.own_headers import Files, contents, looked_for, put_in
from irgl.frontends.python.places import PythonSource
from irgl.frontends.python.wording import in_python
from irgl.frontends.text.tokens import tokens
from irgl.passes import sweep_edges
from irgl.passes.lowering.lower_cuda import lower
from irgl.passes.parts.laid import Laid
from irgl.passes.pipeline import PASSES, as_planned, planning
from irgl.placing import placed
from irgl.plan import Plan
from irgl.source import IrglError, Source, notation_of
from irgl.space import driven, laid_out, report, told


@dataclass(frozen=True, slots=True)
class GraphNeeds:
    """What a program asks of one graph. `weighted` names the dtype of its weights, None where it uses none.

    in_edge: the ids of the in-edges are used, not only where they come from. in_weights: so are their weights, which it
    wants in their order.
    """

    directed: bool | None
    simple: bool
    sorted: bool
    weighted: str | None
    transpose: bool
    in_edge: bool
    in_weights: bool


@dataclass(frozen=True, slots=True)
class GraphForm:
    """A form of a graph's edges that a unit runs over, in- or out-edges; weights: the type of those beside it.

    numbered: so are its places' edges. part: the most nodes of a part, 0: any number. copied: the bytes for each edge
    that a run takes beside it. touched: what a loop uses of each far end, in bytes.
    """

    form: str
    options: tuple[tuple[str, str], ...]
    incoming: bool
    weights: T.Type | None
    numbered: bool
    part: int = 0
    copied: int = 0
    touched: int = 0


@dataclass(frozen=True, slots=True)
class GraphParam:
    """A graph parameter; forms: in the order in which the unit wants them.

    ends, in_ends: the unit reads the far ends of out-edges, of in-edges, out of rows.
    """

    name: str
    type: A.GraphType
    needs: GraphNeeds
    forms: tuple[GraphForm, ...] = ()
    ends: bool = True
    in_ends: bool = True


@dataclass(frozen=True, slots=True)
class Unit:
    """One compiled program: the C++ text, and what a caller must know to run it.

    mesh: the parameter that is one, '' where none is. params and globals are in the order of irgl_run_args
    (cpu_rt/abi.hpp); `sources` in that of its fault[3]. files: what else the text was made of, or would have been.
    """

    text: str
    files: Files
    checked: Checked
    entry: A.Entry
    graph_params: tuple[GraphParam, ...]
    mesh: str
    params: tuple[tuple[str, T.Type, A.Expr | None], ...]
    globals: tuple[tuple[str, T.Type], ...]
    applied: tuple[str, ...]
    not_applicable: tuple[str, ...]
    sources: tuple[Source, ...]
    fingerprint: str  # of the program as it is written
    rounds: tuple[str, ...] | None  # the places of the loops whose rounds it notes; None: it notes none
    sites: tuple[Site, ...] | None  # what its profile tells of; None: it notes none
    numbered: str  # why no plan may lay its graphs out in another order of the nodes
    searches: bool  # analysis/loops/direction.py
    spreads: tuple[str, ...]  # analysis/loops/spreads.py
    gathers: tuple[str, ...]  # analysis/loops/gathers.py; those that may run over blocks


#: The least of a program, by notation.
_LEAST = {"": "a Kernel or a Program", "gt": "func main() ... end", "falcon": "main() { ... }"}


def front(source: Source) -> Checked:
    """The checked program of a source, as written. Raises IrglError at the first mistake."""
    if not source.text.strip():
        raise IrglError("the file is empty", file=source.path,
                        hint=f"a program needs at least {_LEAST[notation_of(source.path)]}")
    return checked_program(load(source), source)


def checked_program(program: A.Program, source: Source) -> Checked:
    """A program that begins in `source`, checked; its mistakes are told in the words of its notation."""
    with _told_in_words_of(source):
        checked = check(program)
        if any(facts.worklist.kind == T.QUEUE for facts in checked.facts.values()):
            transformed(checked)  # what a queue can't be shows when it becomes buckets
        return checked


@contextmanager
def _told_in_words_of(source: Source) -> Iterator[None]:
    try:
        yield
    except IrglError as e:
        of = e.span.source if e.span is not None else source
        raise (in_python(e) if isinstance(of, PythonSource) else e) from None


@dataclass(frozen=True, slots=True)
class Ready:
    """A program after the passes in which no plan has a say."""

    checked: Checked
    entry: A.Entry
    sources: tuple[Source, ...]
    fingerprint: str  # of the program as it was before them


def ready(path: str | Path, text: str | None = None, schedule: str | Path | None = None) -> Ready:
    """The program at `path` (or of `text`, which is then named `path`), to be emitted under as many plans as wanted.
    schedule: as `open_source` takes it.

    Raises IrglError for any mistake in the program, and for a program without an entry.
    """
    source = source_of(path, text) if text is not None else open_source(path, schedule=schedule)
    return ready_of(front(source), source)


def ready_of(checked: Checked, source: Source) -> Ready:
    """A checked program that begins in `source`. Raises IrglError for one without an entry."""
    digest = fingerprint(checked, contents(checked.libraries.values()))
    checked = transformed(checked)
    with _told_in_words_of(source):
        entry = require_entry(checked, source.path)
    return Ready(checked, entry, tuple(_sources(source, checked)), digest)


def compile(path: str | Path, *, target: str = "cpu", plan: Plan | None = None, text: str | None = None) -> Unit:
    """The unit of the program at `path` (or of `text`, which is then named `path`).

    Raises IrglError for any mistake in the program, for a program without an entry, and for an unknown target.
    """
    if target not in ("cpu", "cuda", "simt"):
        raise IrglError(f"no target '{target}' can be compiled for", hint="use cpu, cuda or simt")
    return emit(ready(path, text), plan if plan is not None else Plan(target=target), target)


def emit(program: Ready, plan: Plan, target: str, *, rounds: bool = False, profile: bool = False) -> Unit:
    """The unit of a program under a plan; `rounds`: one that notes what is counted by round; `profile`: one that
    notes what its loops do and how long they take, on GPUs what is counted by round and invocation.

    Raises IrglError for what the target can't run.
    """
    checked, entry, sources = program.checked, program.entry, program.sources
    plan = placed(checked.program, plan, target, sources[0])
    paths = [s.path for s in sources]
    numbered = why_numbered(checked)
    as_driven = driven(checked, plan)
    checked, told_of_drive = as_driven.checked, told(as_driven.decisions)
    laid: dict[A.ForAll, Laid] = {}
    sites: Sites | None = None
    part = 0  # a block of threads has as many rows of a form
    if target == "cpu":
        applied, not_applicable = report(checked.program, as_driven.plan, target)
        gone = tuple(pair for pair in plan.settings if pair not in as_driven.plan.settings)
        checked, plan = turned(checked, as_driven.plan)
        plan = Plan((*plan.settings, *gone), plan.target)  # which the code tells
        laid = openmp.over_forms(checked, plan)
        ends = ends_read(checked, laid)
        noted = _noted(checked, rounds or profile)
        if profile and noted is not None:
            swept = [*sweep_edges.uses(checked, plan)]
            sites = sites_of(checked, noted, swept)
        unit = openmp.emit(checked, plan, paths, __version__, noted, sites)
    else:
        lowered = lower(checked, as_driven.plan)
        checked = lowered.turned
        applied, not_applicable = told([*lowered.decisions, *laid_out(checked, plan)])
        laid, part = lowered.laid, plan.value("block")
        ends = ends_read(lowered.checked, laid)
        noted = _noted(lowered.checked, rounds or profile)
        called = None
        if profile and noted is not None and lowered.checked.entry is not None:
            sites = sites_of(lowered.checked, noted)
            called = invocations(lowered.checked.entry, noted, sites)
        unit = cuda.emit(lowered, plan, paths, __version__, noted, called)
    return Unit(
        files=looked_for(checked.libraries.values(), target != "cpu"),  # before the text, to see changes meanwhile
        text=put_in(unit, checked.libraries.values(), target != "cpu"),
        checked=checked,
        entry=entry,
        graph_params=tuple(_with_forms(_graph_params(checked, entry), laid.values(), part, *ends)),
        mesh=next((p.name for p in entry.params if is_mesh(checked, p.type)), ""),
        params=tuple((p.name, p.type, p.default) for p in entry.params
                     if not _is_graph(checked, p.type) and not is_mesh(checked, p.type)),
        globals=tuple((g.name, g.type) for g in checked.globals.values() if not g.hidden),
        applied=(*told_of_drive[0], *applied),
        not_applicable=(*told_of_drive[1], *not_applicable),
        sources=sources,
        fingerprint=program.fingerprint,
        rounds=None if noted is None or (sites is not None and target == "cpu") else _places(noted, sites),
        sites=None if sites is None else sites.all,
        numbered="" if numbered is None else str(numbered),
        searches=searches(program.checked),
        spreads=spreads(program.checked),
        gathers=tuple(path for path, kernel, inner in gathers(program.checked)
                      if sweep_edges.why_not(program.checked, kernel, inner, "blocks") is None),
    )


def _noted(checked: Checked, rounds: bool) -> dict[A.Stmt, Noted] | None:
    """The loops whose rounds a unit notes; None: it notes none."""
    return noted_loops(checked.entry) if rounds and checked.entry is not None else None


def _places(noted: dict[A.Stmt, Noted], sites: Sites | None) -> tuple[str, ...]:
    """Of what is noted by round: of loops, and for a profile of invocations."""
    return places_of(noted) if sites is None else noted_places(noted, sites)


def _with_forms(params: Iterable[GraphParam], laid: Collection[Laid], part: int, ends: bool,
                in_ends: bool) -> list[GraphParam]:
    """Graph parameters with the forms that loops run over."""
    return [replace(p, ends=ends, in_ends=in_ends, forms=tuple(
        GraphForm(u.form, u.options, u.incoming, None if u.weights is None else u.weights.type, u.numbered, part,
                  u.copied, u.touched)
        for u in openmp.forms_of(laid, p.type.name))) for p in params]


def turned(checked: Checked, plan: Plan) -> tuple[Checked, Plan]:
    """A program after the passes in which a CPU's plan has a say, and what the plan says of it."""
    checked, plan = as_planned(checked, plan)
    return sweep_edges.run(checked, plan), plan


def stages(source: Source | str | Path, plan: Plan | None = None) -> list[tuple[str, str]]:
    """Every form that a program takes on its way to C++ or, for a plan of another target, CUDA: (name, text). source:
    its text, or its file."""
    plan = plan if plan is not None else Plan()
    source = source if isinstance(source, Source) else open_source(source)
    own = not isinstance(source, PythonSource) and not notation_of(source.path)
    shown = [("tokens", tokens(source.text))] if own else []
    program = load(source)
    shown += [("ast", tree(program)), ("program", dump(program)), ("python", dump_python(program))]
    checked = checked_program(program, source)
    for name, run in PASSES:
        checked = check(run(checked.program))
        shown.append((name, dump(checked.program)))
    plan = placed(checked.program, plan, plan.target, source)
    asked_for, as_driven = plan, driven(checked, plan)
    shown += [(name, dump(after)) for name, after in as_driven.stages]
    checked, plan = as_driven.checked, as_driven.plan
    if checked.entry is not None and plan.target in ("cuda", "simt"):
        shown += [(name, dump(after)) for name, after in lower(checked, plan).stages]
        shown.append(("cuda", emit(ready_of(front(source), source), asked_for, plan.target).text))
    elif checked.entry is not None:
        planned, said = checked, plan
        for name, after, said_after in planning(checked, plan):
            if dump(after.program) != dump(planned.program):
                shown.append((name, dump(after.program)))
            planned, said = after, said_after
        swept = sweep_edges.run(planned, said)
        if swept is not planned:
            shown.append(("sweep_edges", dump(swept.program)))
        shown.append(("c++", emit(ready_of(front(source), source), asked_for, "cpu").text))
    return shown


def transformed(checked: Checked) -> Checked:
    """A program after the passes in which no plan has a say."""
    for _, run in PASSES:
        program = run(checked.program)
        checked = check(program) if program is not checked.program else checked
    return checked


def _sources(main: Source, checked: Checked) -> list[Source]:
    found = {main.path: main}
    for decl in checked.program.decls:
        if decl.span is not None:
            found.setdefault(decl.span.source.path, decl.span.source)
    return list(found.values())


def _is_graph(checked: Checked, t: T.Type) -> bool:
    return isinstance(t, T.Named) and t.name in checked.graph_types


def _graph_params(checked: Checked, entry: A.Entry) -> list[GraphParam]:
    found = []
    incoming, numbered = in_edges_used(checked)
    weights = weights_of_in_edges(checked)
    for p in entry.params:
        if not _is_graph(checked, p.type):
            continue
        graph = checked.graph_types[str(p.type)]
        weight = next((q.type for q in graph.properties if takes_weights(q)), None)
        directed = True if "directed" in p.needs else False if "undirected" in p.needs else None
        dtype = None
        if isinstance(weight, T.Int):
            dtype = f"{'' if weight.signed else 'u'}int{weight.bits}"
        elif isinstance(weight, T.Float):
            dtype = f"float{weight.bits}"
        elif "weighted" in p.needs:
            dtype = "int32"
        ascending = "sorted" in p.needs or wants_sorted_rows(checked)
        transpose = "transpose" in p.needs or incoming
        in_weights = any(takes_weights(q) and q.name in weights for q in graph.properties)
        needs = GraphNeeds(directed, "simple" in p.needs, ascending, dtype, transpose, numbered, in_weights)
        found.append(GraphParam(p.name, graph, needs))
    return found
