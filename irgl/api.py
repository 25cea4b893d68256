"""irgl from Python: what `import irgl` offers beside the words of the notation for programs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from irgl.frontends.load import has_schedule, open_source, source_of
from irgl.frontends.shipped import located
from irgl.notation import Definition
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.callable import Choose, Program
from irgl.rt.call.library import Library
from irgl.rt.call.run import Options, Outcome
from irgl.rt.call.run import run as run_compiled
from irgl.rt.compile.nvcc import require_device
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.in_memory import InMemory
from irgl.rt.graphs.in_memory import as_graph as _as_graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program, open_syntax
from irgl.rt.meshes.meshes import Mesh
from irgl.source import IrglError, is_graphit
from irgl.tune.choose.auto import Given, database, resolve
from irgl.tune.choose.texts import asks, before_graph, text_for

TARGETS = ("auto", "cpu", "cuda", "simt", "ref")


def compile(program: Any, *, target: str = "auto", plan: str | Plan | None = None, text: str | None = None,
            db: str | Path | None = None) -> Program:
    """A program, compiled: `compile("x.irgl")(graph, src=0)` runs it.

    program: a file (`x.irgl`, `x.py`, `x.py:name`, `x.gt`, `x.gt:name`, `x.fal`), the name of a program that comes with
    irgl, a function with @irgl.program, or what irgl.builder built. A .gt file that exports functions gives a Library,
    whose methods they are. target: cpu, cuda, simt (CUDA's code in the emulator), ref (the
    interpreter), or auto: a GPU where there is one that can run it, else the CPU. plan: how to run, as `irglc run
    --plan` takes it, or a Plan; None: the schedule of a program that has one, else `default`; what `default` and `auto`
    mean hangs on the graph, so that each call has its own plan, which its answer tells.
    text: what stands in the file, in place of reading it; the name is then a name. db: the tuner's database that the
    plan `auto` looks into, where it is not in its usual place.

    Generates the code; it is built at the first call. Both are kept in the user's cache folder, by content. Raises
    IrglError at the first mistake, with its file, line and column, for an unknown target, and for a plan that the
    program can't honour.
    """
    if target not in TARGETS:
        raise IrglError(f"there is no target '{target}'", hint="there are " + ", ".join(TARGETS))
    if isinstance(program, str | Path) and is_graphit(str(program)):
        library = _library(str(program), target, plan, text, db)
        if library is not None:
            return library
    if target == "auto":
        if _has_device():
            try:
                return compile(program, target="cuda", plan=plan, text=text, db=db)
            except IrglError:  # not everything runs on a GPU; a mistake is found again
                pass
        target = "cpu"
    plan = _words(plan, program, text)
    found = database(plan, db)
    first = before_graph(plan, target)
    driver: Any = importlib.import_module("irgl.driver") if target == "ref" else None
    if isinstance(program, str | Path):
        program = located(str(program)) if text is None else program
        source = open_source(program) if text is None else source_of(program, text)
        checked = driver.front(source) if target == "ref" else None
        under = _opened(lambda p: open_program(program, p, text=source.text))
        path = str(program) if text is not None else str(Path(program).absolute())
        return Program(under(first), first, source, checked=checked, choose=_choose(plan, first, under, found),
                       recipe=lambda: (path, target, plan, source.text, found),
                       profiled=lambda p: open_program(program, p, text=source.text, profile=True))
    if text is not None:
        raise IrglError("text= is the text of a file, and this program has its own", hint="give a file's name with it")
    syntax, sources = _syntax(program)
    checked = driver.checked_program(syntax, sources[0]) if target == "ref" else None
    under = _opened(lambda p: open_syntax(syntax, sources, p))
    path = str(Path(sources[0].path).absolute().with_name("pickled.irgl"))
    return Program(under(first), first, sources[0], syntax, checked, _choose(plan, first, under, found),
                   recipe=lambda: (path, target, plan, importlib.import_module("irgl.ast.dump").dump(syntax), found),
                   profiled=lambda p: open_syntax(syntax, sources, p, profile=True))


def _library(path: str, target: str, plan: str | Plan | None, text: str | None,
             db: str | Path | None) -> Library | None:
    """The functions that a .gt file exports, each compiled when it is asked for; None where it exports none."""
    source = open_source(path) if text is None else source_of(path, text)
    reader: Any = importlib.import_module("irgl.frontends.gt.load")
    has_main, names = reader.entries(source)
    if not names:
        return None
    words = _words(plan, path, text)
    before_graph(words, "cpu" if target == "auto" else target)  # what is no plan is told now
    path = str(Path(path).absolute()) if text is None else path

    def opened(name: str) -> Program:
        return compile(f"{path}:{name}", target=target, plan=plan, text=source.text, db=db)

    exports = {name: reader.read(source_of(f"{path}:{name}", source.text)).export for name in names}
    return Library(source, exports, opened, opened("main") if has_main else None,
                   lambda: (path, target, words, source.text, database(words, db)))


def _words(plan: Any, program: Any, text: str | None = None) -> str:
    """The text of the plan that is meant."""
    if isinstance(plan, Plan):
        return str(plan)
    if plan is None or isinstance(plan, str):
        source = source_of(program, text) if text is not None and isinstance(program, str | Path) else None
        return text_for(plan, scheduled=has_schedule(program, source=source))
    raise IrglError(f"plan={plan!r}: it takes a text", hint='such as "default", "auto", "none", "grain=256"')


def _opened(read: Callable[[Plan], Manifest]) -> Callable[[Plan], Manifest]:
    """`read`, each plan's manifest only once."""
    kept: dict[str, Manifest] = {}

    def under(plan: Plan) -> Manifest:
        if str(plan) not in kept:
            kept[str(plan)] = read(plan)
        return kept[str(plan)]

    return under


def _choose(text: str, first: Plan, under: Callable[[Plan], Manifest], db: Path | None) -> Choose | None:
    """How a call finds its plan, where the plan's text leaves that open."""
    if not asks(text):
        return None

    def choose(graphs: Mapping[str, Graph], values: Callable[[], Mapping[str, Any]], mesh: Mesh | None,
               threads: int | None) -> tuple[Plan, str, Manifest]:
        found = resolve(text, under(first), Given(graphs, values, mesh, threads), first.target, under, db)
        return found.plan, found.told, found.manifest

    return choose


def _syntax(program: Any) -> tuple[Any, list[Any]]:
    """The syntax of what is no file, and its sources."""
    if isinstance(program, Definition):
        if program.irgl_kind != "program":
            raise IrglError(f"'{program.__name__}' is a {program.irgl_kind}: what runs is a program",
                            hint="write a function with @irgl.program that calls it")
        found: tuple[Any, list[Any]] = importlib.import_module("irgl.frontends.python.live").load_definition(program)
        return found
    nodes: Any = importlib.import_module("irgl.ast.nodes")
    if isinstance(program, nodes.Program):
        return program, [importlib.import_module("irgl.builder").source_of(program)]
    raise IrglError(f"a {type(program).__name__} is no program",
                    hint="give a file's name, a function with @irgl.program, or what irgl.builder.program gives")


def _has_device() -> bool:
    if not Path("/dev/nvidiactl").exists():
        return False
    try:
        require_device()
    except IrglError:
        return False
    return True


def as_graph(given: Any, *, directed: bool | None = None, weight: str | None = None,
             nodes: int | None = None, allow_empty: bool = False) -> InMemory:
    """A graph in memory, for any number of calls: what a program asks of it (its transpose, say) is made once.

    given: a sparse matrix of SciPy or CuPy, n x n (CSR is shared, not copied), a NetworkX graph, a tuple of arrays
    (source, target[, weight]), each (m,), a list (or a generator, a set, ...) or an array of edges, (m, 2) or (m, 3),
    or a table (pandas, Polars, Arrow, a dict) with columns source, target and perhaps weight (or src, from, u; dst, to,
    v; w, value); of a frame that has no such names its two or three columns in this order; or the name of a file of any
    format, or of a generator. In arrays integers are node
    numbers from 0; anything else is a name, and names are numbered: NetworkX's in its order, others ascending, or of
    several kinds, which have no order, as the edges name them. directed=False: each edge goes both ways. weight: the
    edge attribute or column that holds weights (`weight`); they are kept as int32, int64, float32 or float64. nodes:
    how many there are, where the ends of edges are numbers. allow_empty: a file may hold nothing.

    A matrix costs one look at its indices, arrays O(n + m), NetworkX a Python loop over its edges. Raises IrglError for
    what is no graph: arrays of several lengths, an end that is no node, weights that are no numbers, an attribute
    that no edge has, an array that may mean two things.
    """
    return _as_graph(given, directed=directed, weight=weight, nodes=nodes, allow_empty=allow_empty)


def load_graph(spec: str | Path, program: Any, *, parameter: str | None = None,
               **loading: Any) -> Graph:
    """The graph of a file or generator, prepared for a graph parameter of a compiled program.

    spec: a file's name or a generator (`rmat:16`). program: what irgl.compile takes or gave. parameter: which of its
    graphs it is for; None: the first. loading: the fields of Loading. Keeps what it read in the user's cache folder.
    Raises IrglError, with the file's line where one is wrong, and for a parameter that the program lacks.
    """
    if not isinstance(spec, str | Path):
        raise IrglError(f"a {type(spec).__module__}.{type(spec).__qualname__} is no name of a file or generator",
                        hint="irgl.compile(program)(graph) takes graphs that are in memory")
    unknown = loading.keys() - {f.name for f in fields(Loading)}
    if unknown:
        raise IrglError(f"load_graph has no option `{min(unknown)}`",
                        hint="its options: " + ", ".join(f.name for f in fields(Loading)))
    manifest = _manifest(program)
    found = [g for g in manifest.graphs if parameter in (None, g.name)]
    if not found:
        raise IrglError(f"{manifest.program} has no graph parameter `{parameter}`")
    return load(str(spec), found[0], Loading(**loading))


def _manifest(program: Any) -> Manifest:
    made = program if isinstance(program, Manifest | Program) else compile(program, target="cpu")
    return made.manifest if isinstance(made, Program) else made


def run(program: Any, graph: str | Path | Graph | Mesh, *, plan: str | Plan | None = None,
        db: str | Path | None = None, threads: int | None = None, repeat: int = 1, worklist_capacity: int = 0,
        seed: int = 0, graphs: Mapping[str, Graph] | None = None, mesh: Mesh | None = None, **params: Any) -> Outcome:
    """Runs a program on a graph and gives its results: `.result.scalars`, `.result.array(NAME)`, `.kernel_ms`.

    program: a file, compiled under `plan`, or what irgl.compile takes or gave, for which `default` is what options say
    by themselves.
    params: the program's own, nodes in the file's numbering. graphs: those after the first, by parameter. A Graph must
    be prepared as the program needs it (load_graph does that). A program that wants a mesh and no graph takes a Mesh
    (irgl.rt.meshes.meshes) in the graph's place; `.result.mesh` is what became of it.

    threads: as many as there are cores, where None. repeat: how often it runs, a time for each. worklist_capacity: the
    first size of its lists, in items. seed: of `random`. db: the tuner's database, for the plan `auto`. Raises
    IrglError as a Program's call does.
    """
    plan = _words(plan, program)
    first = before_graph(plan, "cpu")
    file = program if isinstance(program, str | Path) else None
    manifest = _manifest(program) if file is None else open_program(file, first)
    loaded = dict(graphs or {})
    for at, g in enumerate(manifest.graphs):
        if at == 0 and not isinstance(graph, Mesh):
            loaded[g.name] = graph if isinstance(graph, Graph) else load_graph(graph, manifest)
        elif g.name not in loaded:
            raise IrglError(f"{manifest.program} needs a graph for `{g.name}`", hint=f"give graphs={{'{g.name}': ...}}")
    mesh = graph if isinstance(graph, Mesh) else mesh
    if file is not None:
        asking = manifest
        given = Given(loaded, lambda: bind(asking, loaded, params), mesh, threads)
        chosen = resolve(plan, manifest, given, "cpu", lambda p: open_program(file, p), database(plan, db))
        first, manifest = chosen.plan, chosen.manifest
    values = bind(manifest, loaded, params)  # a plan may have a say in a default
    return run_compiled(manifest, loaded, values, first, Options(threads, repeat, worklist_capacity, seed), mesh)
