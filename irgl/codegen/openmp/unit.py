"""One OpenMP C++ unit of a checked program: the skeleton is templates/openmp.cpp.j2, the functions are written here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import jinja2

from irgl.analysis.effects.beside import Group
from irgl.analysis.effects.effects import changed_variables, home_graph
from irgl.analysis.effects.in_edges import weights_of_in_edges
from irgl.analysis.effects.inputs import changed_inputs
from irgl.analysis.loops.far_ends import far_ends
from irgl.analysis.loops.ranks import drops_overtaken, ranks
from irgl.analysis.names.conversions import graph_of
from irgl.analysis.names.given import given_item
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.paths import nested_loops
from irgl.analysis.names.symbols import Checked, wants_node
from irgl.analysis.ownership.units import atomic_units
from irgl.analysis.types.entry import is_mesh
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.properties import takes_weights
from irgl.ast.visit import walk
from irgl.codegen.cxx.code import escaped
from irgl.codegen.cxx.expressions import ExpressionsCxx
from irgl.codegen.cxx.helpers import appending
from irgl.codegen.cxx.host import HostCxx
from irgl.codegen.cxx.names import (
    cxx_type,
    form_of,
    made,
    name,
    outside,
    pipe_type,
    property_name,
    scalar_name,
    type_name,
    zero,
)
from irgl.codegen.cxx.rounds import Noted, ways
from irgl.codegen.cxx.statements import StatementsCxx
from irgl.codegen.openmp.beside import put_body
from irgl.codegen.openmp.knobs import by_nodes, knobs
from irgl.codegen.openmp.orders import orders
from irgl.codegen.openmp.sites import Sites
from irgl.forms.find import form, header
from irgl.options import OFF
from irgl.passes import sweep_edges
from irgl.passes.lowering import decisions
from irgl.passes.parts import intersections
from irgl.passes.parts.laid import Laid, uses_of_rows
from irgl.passes.parts.packed import packed
from irgl.plan import Plan
from irgl.source import Span

_TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


@dataclass(frozen=True, slots=True)
class _Property:
    name: str
    type: str
    index: int
    is_lock: bool
    is_struct: bool
    is_weight: bool  # or an input that the program only reads: its memory is the caller's
    weights: bool  # are they the file's?
    given: bool  # or the caller's?
    is_node: bool
    required: bool
    count: str
    times: str  # how many values each of them has, where it has several
    room: str  # then, for those of one node more, which a fault in an empty graph goes on with
    init: str
    word: str
    first: int  # the place of the caller's values, of an input that the program changes; else -1
    incoming: int  # that of weights in the order of in-edges, of those that the program wants so; else -1


@dataclass(frozen=True, slots=True)
class _GraphType:
    name: str
    properties: list[_Property]
    forms: list[tuple[str, str, str, int]]  # of its edges: form, member that is one, what tells its rows, copied bytes
    begins: bool  # has the Program a graph of the type, whose properties get their first values?
    pack: str  # the struct of what lies side by side of each node
    packed: list[_Property]  # which properties do


@dataclass(frozen=True, slots=True)
class GivenList:
    """A list or an array that is a parameter. made: what its constructor gets; index, count: where in the params."""

    name: str
    type: str
    made: str
    index: int
    count: int


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    type: str
    index: int
    init: str
    word: str
    is_node: bool


def results(checked: Checked) -> list[Value]:
    """The scalars that are part of the answer."""
    shown = (g for g in checked.globals.values() if not g.hidden)
    return [Value(scalar_name(g.name), cxx_type(g.type, checked), i, "", g.name, False) for i, g in enumerate(shown)]


def emit(checked: Checked, plan: Plan, sources: list[str], version: str,
         rounds: Mapping[A.Stmt, Noted] | None = None, sites: Sites | None = None) -> str:
    """The text of the unit. `sources` are the paths that faults are told by, in order. rounds: the loops whose rounds
    it notes; None: it notes none. sites: of what it notes a profile instead of what a round runs over."""
    entry = checked.entry
    assert entry is not None
    ex = ExpressionsCxx(checked)
    ex.sources = {path: i for i, path in enumerate(sources)}
    graphs = graph_params(checked, entry.params)
    meshes = [p for p in entry.params if is_mesh(checked, p.type)]
    sweeps, rows = sweep_edges.uses(checked, plan), uses_of_rows(checked, plan)
    laid: list[Laid] = [*(use for use in sweeps.values() if not use.lanes), *rows.values()]
    packs = packed(checked, plan)
    groups = decisions.groups(checked, plan) if rounds is None else []
    sections = decisions.sections(checked, plan.target) if rounds is None else {}
    return template("openmp.cpp.j2").render(
        forms=[header(word, "hpp") for word in sorted({use.form for use in laid})],
        lanes=any(use.lanes for use in sweeps.values()),
        copies=any(use.copied for use in laid),
        program=entry.name,
        source=escaped(sources[0]),
        version=version,
        plan=plan.in_code,
        libraries=sorted({lib.header for lib in checked.libraries.values()}),
        structs=structs(checked),
        graph_types=[graph_type(checked, ex, g, forms_of(laid, g.name), packs.get(g.name, ()))
                     for g in checked.graph_types.values()],
        packs=bool(packs),
        orders=orders(checked, False),
        narrow=(),
        derives=any(isinstance(n, A.Call) and n.function == "oriented" for n in walk(entry)),
        excludes=any(isinstance(n, A.Exclusive) for n in walk(checked.program)),
        globals=[
            Value(
                scalar_name(g.name),
                cxx_type(g.type, checked),
                i,
                "0" if g.init is None else ex.value(g.init, g.type),
                g.name,
                False,
            )
            for i, g in enumerate(checked.globals.values())
        ],
        results=results(checked),
        prototypes=[_function_head(checked, f) + ";" for f in checked.functions.values()],
        functions=[_function(checked, f, sources, plan) for f in checked.functions.values()],
        noting="" if rounds is None else "rounds" if sites is None else "profiled",
        kernels=[_kernel(checked, k, plan, sources, sweeps, rows, rounds is not None and sites is None, sites)
                 for k in checked.kernels.values()],
        host=_host(checked, entry, sources, plan, rounds, groups, sections, measured=sites is None),
        beside=bool(groups or sections),
        graphs=[Value(name(p.name), type_name(str(p.type)), i, "", p.name, False) for i, p in enumerate(graphs)],
        meshes=[name(p.name) for p in meshes],
        params=values(checked, entry),
        lists=given_lists(checked, entry),
        arguments=", ".join(name(p.name) for p in entry.params),
        words=[name(p.name) for p in entry.params],
    )


@cache
def template(file: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {"made": made, "outside": outside}
    return environment.get_template(file)


def graph_params(checked: Checked, params: tuple[A.Param, ...]) -> list[A.Param]:
    """The parameters that are graphs, in order."""
    return [p for p in params if _is_graph(checked, p.type)]


def _given(checked: Checked, entry: A.Entry) -> list[A.Param]:
    """The parameters that are values, in the order of irgl_run_args."""
    return [p for p in entry.params if not _is_graph(checked, p.type) and not is_mesh(checked, p.type)]


def values(checked: Checked, entry: A.Entry) -> list[Value]:
    """The parameters that are numbers and nodes, each with its place among the params."""
    return [
        Value(name(p.name), cxx_type(p.type, checked), i, "", p.name, wants_node(p))
        for i, p in enumerate(_given(checked, entry))
        if given_item(checked, p.type) is None
    ]


def given_lists(checked: Checked, entry: A.Entry) -> list[GivenList]:
    """The parameters that are lists and arrays."""
    given = _given(checked, entry)
    lists = [p for p in given if given_item(checked, p.type) is not None]
    home = home_graph(checked, entry.params)
    return [
        GivenList(
            name(p.name),
            cxx_type(p.type, checked),
            f"c, size_t({name(graph_of(p.type) or home)}.n)" if isinstance(p.type, T.Worklist) else "c",
            given.index(p),
            len(given) + k,
        )
        for k, p in enumerate(lists)
    ]


def _is_graph(checked: Checked, t: T.Type) -> bool:
    return isinstance(t, T.Named) and t.name in checked.graph_types


def structs(checked: Checked) -> list[dict[str, object]]:
    """What the template of structs is told of each."""
    units = atomic_units(checked)
    return [_struct(checked, s, units.get(s.name)) for s in checked.structs.values()]


def _struct(checked: Checked, s: A.Struct, unit: Span | None) -> dict[str, object]:
    fields = [{"name": name(f.name), "type": cxx_type(f.type, checked)} for f in s.fields]
    sizes = [
        f.type.bits // 8 if isinstance(f.type, T.Int | T.Float) else 1 if isinstance(f.type, T.Bool) else 4
        for f in s.fields
    ]
    place = "" if unit is None else escaped(str(unit))
    return {"name": type_name(s.name), "fields": fields, "pair": len(fields) == 2, "aligned": sizes == [4, 4],
            "unit": place}


def over_forms(checked: Checked, plan: Plan) -> dict[A.ForAll, Laid]:
    """The nested loops of a program, as it is generated, that run over forms, and over which."""
    swept: dict[A.ForAll, Laid] = {
        use.sweep.inner: use for use in sweep_edges.uses(checked, plan).values() if not use.lanes}
    return swept | uses_of_rows(checked, plan)


def forms_of(laid: Iterable[Laid], graph_type: str) -> list[Laid]:
    """The forms of a graph type's edges that loops run over, each once, in the order of irgl_graph.forms.

    What lies beside a form is what all of its loops want.
    """
    found: dict[str, Laid] = {}
    for use in (u for u in laid if u.graph_type == graph_type):
        known = found.get(use.member, use)
        found[use.member] = replace(known, weights=known.weights or use.weights,
                                    numbered=known.numbered or use.numbered,
                                    copied=max(known.copied, use.copied),
                                    touched=max(known.touched, use.touched))
    return list(found.values())


def graph_type(checked: Checked, ex: ExpressionsCxx, g: A.GraphType, forms: list[Laid],
               together: Collection[str] = ()) -> _GraphType:
    """What the templates are told of a graph type. together: its properties that lie side by side."""
    properties = []
    changed = changed_inputs(checked)
    places = [p.name for p in g.properties if p.given and p.name in changed]
    by_in_edges = weights_of_in_edges(checked)
    for i, p in enumerate(g.properties):
        t = T.of_each(p.type)
        init = ex.value(p.init, t) if p.init is not None else zero(t, checked)
        copied = p.given and p.name in changed
        weight = takes_weights(p) or (p.given and not copied)
        properties.append(
            _Property(
                property_name(p.name),
                cxx_type(t, checked),
                i,
                isinstance(t, T.Lock),
                checked.fields(t) is not None,
                weight,
                takes_weights(p),
                p.given,
                isinstance(t, T.NodeT),
                p.init is None,
                "n" if p.owner == "node" else "m",
                f" * {p.type.length}" if isinstance(p.type, T.Vector) else "",
                f" + {p.type.length}" if isinstance(p.type, T.Vector) else "",
                init,
                p.name,
                places.index(p.name) + len(g.properties) if copied else -1,
                len(g.properties) + len(places) if takes_weights(p) and p.name in by_in_edges else -1,
            )
        )
    assert checked.entry is not None
    types = [n.type for n in walk(checked.entry) if isinstance(n, A.Param | A.VarDecl)]
    laid = [(use.form, use.member, form_of("", use.incoming) * (form(use.form).kind == "rows"), use.copied)
            for use in forms]
    return _GraphType(type_name(g.name), properties, laid, T.Named(g.name) in types, f"_packed_{type_name(g.name)}",
                      [p for p in properties if p.word in together])


def parameter(checked: Checked, p: A.Param) -> str:
    """A parameter's declaration: lists and objects of libraries by reference."""
    t = checked.symbols[p].type
    return f"[[maybe_unused]] {cxx_type(t, checked)}{'&' * is_object(checked, t)} {name(p.name)}"


def _function_head(checked: Checked, f: A.Function) -> str:
    params = ", ".join(
        [
            "[[maybe_unused]] Context& c",
            *(["irgl::Thread& t"] if f.name in appending(checked) else []),
            *(parameter(checked, p) for p in f.params),
        ]
    )
    return f"static inline {cxx_type(f.returns, checked)} {name(f.name)}({params})"


def _function(checked: Checked, f: A.Function, sources: list[str], plan: Plan) -> str:
    writer = _writer(StatementsCxx(checked, None), checked, f.params, sources)
    writer.ex.intersection = intersections.elsewhere(checked, plan)
    writer.returns = f.returns
    writer.ex.on_host = f.name not in appending(checked)  # an appending one is given its thread
    writer.body(f.body)
    return "\n".join([_function_head(checked, f) + " {", *writer.lines, "}"])


def _writer(writer: StatementsCxx, checked: Checked, params: tuple[A.Param, ...], sources: list[str]) -> StatementsCxx:
    writer.ex.graph = home_graph(checked, params)
    writer.ex.sources = {path: i for i, path in enumerate(sources)}
    return writer


def _kernel(checked: Checked, k: A.Kernel, plan: Plan, sources: list[str], sweeps: Mapping[A.ForAll, sweep_edges.Use],
            rows: Mapping[A.ForAll, Laid], noted: bool, sites: Sites | None) -> str:
    facts = checked.facts[k.name]
    writer = _writer(StatementsCxx(checked, facts), checked, k.params, sources)
    writer.ahead = _ahead(checked, k, plan)
    writer.knobs, writer.by_nodes = knobs(k, plan), by_nodes(k, plan)
    writer.sweeps = writer.ex.apart = sweeps
    writer.row_forms = rows
    writer.ex.intersections = intersections.by_call(checked, intersections.by_loop(checked, k, plan))
    writer.ex.intersection = intersections.elsewhere(checked, plan)
    writer.ways = ways(k) if noted else {}
    writer.counted = {} if sites is None else sites.loops
    writer.ranks = ranked = ranks(checked, k)
    writer.drops = drops_overtaken(k, ranked)
    changed = {v.name for v in changed_variables(checked, k.body)}
    writer.ex.divisors = frozenset(p.name for p in k.params if p.type == T.INT and p.name not in changed)
    writer.ex.divided = set()
    if facts.together:
        with writer.block("do {", k.body[0], "} while (!c.halted() && wl.more());"):
            writer.body(k.body)
    else:
        writer.body(k.body)
    params = ["Context& c", *(parameter(checked, p) for p in k.params)]
    if facts.uses_worklist:
        params.append(f"{pipe_type(facts.worklist, checked)}& wl")
    lines = [f"static {'irgl::Value' if facts.returns else 'void'} {name(k.name)}({', '.join(params)}) {{"]
    if facts.returns:
        lines.append("  irgl::Value value;")
    if sites is not None and k.name in sites.kernels:
        lines.append(f"  const irgl::KernelRun _kernel({sites.kernels[k.name]});")
    if facts.uses_worklist and facts.worklist.by is not None and facts.reads:
        lines.append("  wl.choose();")
    lines += [f"  const irgl::Divisor divisor_{word}({name(word)});" for word in sorted(writer.ex.divided)]
    lines += writer.lines
    if facts.returns:
        lines.append("  return value;")
    return "\n".join([*lines, "}"])


def _ahead(checked: Checked, k: A.Kernel, plan: Plan) -> dict[A.ForAll, int]:
    """How far before its turn an edge's other end is fetched, of the nested loops where the plan says so."""
    said = {s: plan.text_of("prefetch", path) for s, path in nested_loops(k).items()}
    return {s: int(text) for s, text in said.items() if text != OFF and far_ends(checked, s)}


def _host(checked: Checked, entry: A.Entry, sources: list[str], plan: Plan,
          rounds: Mapping[A.Stmt, Noted] | None, groups: Sequence[Group], sections: Mapping[A.Sections, Group], *,
          measured: bool) -> str:
    host = HostCxx(checked)
    host.measured = measured
    host.ex.intersection = intersections.elsewhere(checked, plan)
    host.rounds = rounds if rounds is not None else {}
    writer = _writer(host, checked, entry.params, sources)
    if rounds is not None:
        writer.put("const irgl::RoundsOfRun _rounds;")
    host.apart = sections
    put_body(host, entry.body, groups)
    params = ["Context& c", *(parameter(checked, p) for p in entry.params)]
    return "\n".join([f"static void program({', '.join(params)}) {{", *writer.lines, "}"])
