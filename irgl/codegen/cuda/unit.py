"""One CUDA unit of a lowered program: the skeleton is templates/cuda.cu.j2, the functions are written here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from irgl.analysis.effects.effects import home_graph
from irgl.analysis.flow.kernels import done_once, helpers_of, only_loop, walked_objects
from irgl.analysis.names.methods import is_object
from irgl.analysis.names.symbols import Checked
from irgl.analysis.ownership.own import is_own, own_types
from irgl.analysis.types.entry import is_mesh
from irgl.ast import nodes as A
from irgl.ast import types as T
from irgl.ast.visit import walk
from irgl.codegen.cuda import boards
from irgl.codegen.cuda.expressions import HostExpressions, one_computes, view_type
from irgl.codegen.cuda.grid_kernels import GridKernelCuda
from irgl.codegen.cuda.host import HostCuda, chooser
from irgl.codegen.cuda.launch import launch_bounds, launched, launcher, parameter
from irgl.codegen.cuda.layout import fold
from irgl.codegen.cuda.loops.sweeps import SweepsCuda
from irgl.codegen.cuda.repeats import RepeatedKernelCuda, kept_words
from irgl.codegen.cuda.statements import KernelCuda
from irgl.codegen.cxx.code import escaped
from irgl.codegen.cxx.helpers import appending
from irgl.codegen.cxx.names import cxx_type, name, pipe_type, scalar_name, type_name
from irgl.codegen.cxx.rounds import Noted, ways
from irgl.codegen.cxx.work import Work, kernel_range
from irgl.codegen.openmp import unit as openmp
from irgl.codegen.openmp.beside import put_body
from irgl.codegen.openmp.orders import orders
from irgl.forms.find import header
from irgl.frontends.own_headers import file_name
from irgl.passes.lowering.lower_cuda import Lowered
from irgl.passes.parts import intersections, outline_loops
from irgl.passes.parts.packed import packed
from irgl.plan import Plan

#: Types that are smaller than the words of atomics: two scalars in one word would race where one is only read.
_NARROW = ("bool", "int8_t", "uint8_t", "int16_t", "uint16_t")


def emit(low: Lowered, plan: Plan, sources: list[str], version: str,
         rounds: Mapping[A.Stmt, Noted] | None = None, invocations: Mapping[A.Node, Noted] | None = None) -> str:
    """The text of the unit. `sources` are the paths that faults are told by, in order. rounds: the loops whose rounds
    it notes; None: it notes none. invocations: those of kernels that it notes as rounds, too."""
    checked = low.checked
    entry = checked.entry
    assert entry is not None
    places = {path: i for i, path in enumerate(sources)}
    packs = packed(checked, plan)
    ex = HostExpressions(checked)
    ex.sources = places
    graphs = openmp.graph_params(checked, entry.params)
    meshes = [p for p in entry.params if is_mesh(checked, p.type)]
    graph_types = [openmp.graph_type(checked, ex, g, openmp.forms_of(low.laid.values(), g.name), packs.get(g.name, ()))
                   for g in checked.graph_types.values()]
    host = HostCuda(low, places, plan)
    host.ex.graph = home_graph(checked, entry.params)
    if rounds is not None:
        host.rounds = rounds
        host.invocations = invocations if invocations is not None else {}
        host.put("const irgl::RoundsOfRun _rounds(c);")
    groups = low.groups if rounds is None else ()  # which are noted in the order of the text
    host.apart = low.apart if rounds is None else {}
    put_body(host, entry.body, groups)
    called = _called([entry])
    kernels = [k for k in checked.kernels.values() if k.name in called]
    launched = outline_loops.launched(checked, low.outlined)
    parts = [checked.kernels[word] for k in kernels for word in low.split.get(k.name, {}).values()]
    alone = [k for k in kernels if k.name in launched and k.name not in low.split] + parts
    inside = _called(low.outlined)
    at_work = [k for k in kernels if k.name not in low.split or k.name in inside] + parts
    on_host, on_device = helpers_of(checked, [entry]), helpers_of(checked, kernels)
    return fold(openmp.template("cuda.cu.j2").render(
        program=entry.name,
        source=escaped(sources[0]),
        version=version,
        plan=str(plan),
        block=plan.value("block"),
        excludes=any(isinstance(n, A.Exclusive) for n in walk(checked.program)),
        owns=bool(own_types(checked)),
        forms=[header(word, "cuh") for word in sorted({use.form for use in low.laid.values()})],
        libraries=sorted({file_name(lib.header, on_gpu=True) for lib in checked.libraries.values()}),
        structs=openmp.structs(checked),
        graph_types=graph_types,
        spare=max((8 * p.type.length for g in checked.graph_types.values() for p in g.properties
                   if isinstance(p.type, T.Vector)), default=0),
        packs=bool(packs),
        beside=bool(groups),
        sections=bool(host.apart),
        orders=orders(checked, True),
        globals=[
            openmp.Value(scalar_name(g.name), cxx_type(g.type, checked), i,
                         "0" if g.init is None else ex.value(g.init, g.type), g.name, False)
            for i, g in enumerate(checked.globals.values())
        ],
        results=openmp.results(checked),
        shared=_shared(checked),
        narrow=_NARROW,
        functions=[*(_function(low, f, places, plan) for f in on_device),
                   *(_host_function(low, f, places, plan) for f in on_host)],
        prototypes=[*(_function_head(checked, f) + ";" for f in on_device),
                    *(_host_function_head(checked, f) + ";" for f in on_host)],
        rounds=rounds is not None,
        kernels=boards.share(low, {k.name: _kernel(low, k, places, plan, rounds is not None) for k in at_work}),
        globals_kernels=[_global(checked, k, plan) for k in alone],
        launchers=["\n".join(lines) for lines in (
            *(launcher(low, k, _host_range(checked, k)) for k in alone),
            *(chooser(low, k, places, plan, rounds is not None) for k in kernels
              if k.name in launched and k.name in low.split))],
        outlined=host.kernels,
        host=_host(low, entry, host),
        graphs=[openmp.Value(name(p.name), type_name(str(p.type)), i, "", p.name, False) for i, p in enumerate(graphs)],
        meshes=[name(p.name) for p in meshes],
        params=openmp.values(checked, entry),
        lists=openmp.given_lists(checked, entry),
        arguments=", ".join(name(p.name) for p in entry.params),
    ))


def _shared(checked: Checked) -> str:
    """The type of what the grid shares: variables that a loop combines, words that a thread gives to all or keeps."""
    variables = max((sum(symbol.kind != "global" for symbol, _ in v) for v in checked.combined.values()), default=0)
    words = max((len(checked.fields(t) or ()) for e, t in checked.types.items()
                 if checked.fields(t) is not None and one_computes(checked, e)), default=1)
    kept = kept_words(checked)
    if variables <= 7 and words <= 1 and kept == 0:
        return "irgl::Shared"
    return f"irgl::SharedOf<{', '.join(map(str, [max(variables, 7), words, *([kept] if kept else [])]))}>"


def _called(parts: Iterable[A.Node]) -> set[str]:
    """The kernels that parts of the Program invoke."""
    return {n.kernel for s in parts for n in walk(s) if isinstance(n, A.Invoke | A.Iterate | A.InvokeResult)}


def _host_range(checked: Checked, k: A.Kernel) -> Work | None:
    return kernel_range(checked, k, {p.name: name(p.name) for p in k.params}, "wl.", "c")


def _device_param(checked: Checked, p: A.Param, reference: bool) -> str:
    t = checked.symbols[p].type
    if is_object(checked, t):
        return f"{view_type(t, checked)}{'&' * reference} {name(p.name)}"
    return f"{cxx_type(t, checked)} {name(p.name)}"


def _function_head(checked: Checked, f: A.Function) -> str:
    """A helper's head: a template where it may be given an object of an iteration's own, which is of another type."""
    own = own_types(checked)
    either = {p: f"IRGL_T{i}" for i, p in enumerate(p for p in f.params if checked.symbols[p].type in own)}
    params = ", ".join(
        [
            "const Device& c",
            *(["irgl::Thread& t"] if f.name in appending(checked) else []),
            *(f"{either[p]}& {name(p.name)}" if p in either else _device_param(checked, p, True) for p in f.params),
        ]
    )
    template = f"template <{', '.join(f'class {t}' for t in either.values())}>\n" if either else ""
    return f"{template}__device__ inline {cxx_type(f.returns, checked)} {name(f.name)}({params})"


def _function(low: Lowered, f: A.Function, places: dict[str, int], plan: Plan) -> str:
    writer = KernelCuda(low.checked, None, {}, {})
    writer.ex.intersection = intersections.elsewhere(low.checked, plan)
    writer.ex.sources = places
    writer.ex.graph = home_graph(low.checked, f.params)
    writer.returns = f.returns
    writer.ex.on_host = False
    writer.depth = 1  # iterations call it
    writer.body(f.body)
    return "\n".join([_function_head(low.checked, f) + " {", *writer.lines, "}"])


def _host_function_head(checked: Checked, f: A.Function) -> str:
    params = ["Context& c", *(["Context&"] if f.name in appending(checked) else [])]
    params += [parameter(checked, p) for p in f.params]
    return f"static {cxx_type(f.returns, checked)} {name(f.name)}({', '.join(params)})"


def _host_function(low: Lowered, f: A.Function, places: dict[str, int], plan: Plan) -> str:
    writer = HostCuda(low, places, plan)
    writer.ex.graph = home_graph(low.checked, f.params)
    writer.returns = f.returns
    writer.body(f.body)
    return "\n".join([_host_function_head(low.checked, f) + " {", *writer.lines, "}"])


def _params(checked: Checked, k: A.Kernel, reference: bool) -> list[str]:
    facts = checked.facts[k.name]
    params = [_device_param(checked, p, reference) for p in k.params]
    if facts.uses_worklist:
        params.append(f"irgl::View<{pipe_type(facts.worklist, checked)}>{'&' * reference} wl")
    return params


def _kernel(low: Lowered, k: A.Kernel, places: dict[str, int], plan: Plan, noted: bool) -> str:
    """The device function: one thread's part of an invocation."""
    checked = low.checked
    facts = checked.facts[k.name]
    loops = any(isinstance(n, A.ForAll) for n in walk(k))
    repeats = done_once(checked, k) is not None
    kind = SweepsCuda if only_loop(k) is not None or not loops else RepeatedKernelCuda if repeats else GridKernelCuda
    writer = kind(checked, facts, low.schedulers, low.combine, low.backs_off)
    writer.sweeps = low.sweeps
    writer.by_lanes = low.by_lanes
    writer.row_forms = low.row_forms
    writer.ex.intersections = intersections.by_call(checked, low.intersections)
    writer.ex.intersection = intersections.elsewhere(checked, plan)
    writer.ways = ways(k) if noted else {}
    if isinstance(writer, GridKernelCuda):
        writer.walked = walked_objects(checked, k)
    writer.ex.sources = places
    writer.ex.graph = home_graph(checked, k.params)
    writer.ex.on_host = False
    if isinstance(writer, RepeatedKernelCuda):
        writer.whole(k)
    elif loops:
        if isinstance(writer, GridKernelCuda):
            writer.at_end = True
        writer.body(k.body)
    else:
        with writer.block("if (t.first()) {"):
            writer.depth = 1
            writer.body(k.body)
            writer.depth = 0
    params = ["irgl::Thread& t", "const Device& c", *_params(checked, k, True)]
    head = f"__device__ void {name(k.name)}({', '.join(params)}) {{"
    met = any("bool valid" in line for line in writer.lines)
    along = ["// Where `valid` is false it has no item, and comes along for what threads do together."] if met else []
    what = f"// Kernel {k.name}{_line(k)}: what each thread of the grid does."
    return "\n".join([what, *along, head, *writer.lines, "}"])


def _line(k: A.Kernel) -> str:
    return "" if k.span is None else f" of line {k.span.line}"


def _global(checked: Checked, k: A.Kernel, plan: Plan) -> str:
    arguments = ["t", "c", *(name(p.name) for p in k.params), *(["wl"] if checked.facts[k.name].uses_worklist else [])]
    params = ", ".join(["Device c", *_params(checked, k, False)])
    least = int(any(is_own(checked, n) for n in walk(k)))  # own objects have stacks enough: no spills besides
    return "\n".join([
        f"__global__ void {launch_bounds(plan, least)} {launched(checked, k)}({params}) {{",
        "  irgl::Thread t(c);",
        f"  {name(k.name)}({', '.join(arguments)});",
        "}",
    ])


def _host(low: Lowered, entry: A.Entry, host: HostCuda) -> str:
    params = ["Context& c", *(parameter(low.checked, p) for p in entry.params)]
    shares = ["  c.open_shares();"] if "even" in low.schedulers.values() else []
    return "\n".join([f"static void program({', '.join(params)}) {{", *shares, *host.lines, "}"])
