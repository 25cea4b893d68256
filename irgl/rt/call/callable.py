"""A compiled program as a function of graphs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from irgl.plan import Plan
from irgl.rt.call.answer import Answer
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.call.targets import run_on
from irgl.rt.call.telling import listener, shown
from irgl.rt.graphs.device_graph import Twins
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.in_memory import InMemory, as_graph
from irgl.rt.graphs.loading import Loading, load, place_of, requirements
from irgl.rt.inputs.lists import by_name
from irgl.rt.inputs.named import from_python
from irgl.rt.manifests.manifest import Manifest, inputs
from irgl.rt.meshes.meshes import Mesh, load_mesh
from irgl.source import IrglError, Source

_OPTIONS = ("threads", "repeat", "seed", "worklist_capacity", "devices")

#: What a plan that hangs on the graph comes to for these graphs, mesh and threads, and for values worked out only if
#: they matter: the plan, in words where it comes from, and the program under it.
Choose = Callable[[Mapping[str, Graph], Callable[[], Mapping[str, Any]], Mesh | None, int | None],
                  tuple[Plan, str, Manifest]]


class Program:
    """A compiled program: `program(graph, src=0)` runs it. Any number of threads may call it at once.

    irgl.compile makes it. manifest: its interface, with the generated code. plan: the Plan under which it runs, or as
    long as no graph is known: of `default` and `auto`, each call has its own, which its answer tells. source: its text.
    syntax: its syntax, where it was built or decorated. It can be pickled.
    """

    def __init__(
        self, manifest: Manifest, plan: Plan, source: Source, syntax: Any = None, checked: Any = None,
        choose: Choose | None = None, recipe: Callable[[], tuple[str, str, str, str, Path | None]] | None = None,
        profiled: Callable[[Plan], Manifest] | None = None,
    ) -> None:
        self.manifest = manifest
        self.plan = plan
        self.source = source
        self.syntax = syntax
        self._checked = checked
        self._choose = choose
        self._recipe = recipe
        self._profiled = profiled

    @property
    def __name__(self) -> str:
        return self.manifest.program

    @property
    def text(self) -> str:
        """The generated code: one unit of C++, or of CUDA C++."""
        return self.manifest.text

    def __repr__(self) -> str:
        return f"<irgl program {self.manifest.program}({', '.join(self.manifest.order)}) for {self.plan.target}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled, it is its text, which another process compiles anew, for the same target."""
        if self._recipe is None:
            raise TypeError(f"{self!r} was not made by irgl.compile: it can't be pickled")
        return compiled, self._recipe()

    def explain(self) -> Any:
        """What is known of every kernel, loop and orchestration statement, as `irglc explain --all` tells it.

        It is of the text that was compiled, which is read and analysed anew. `str()` is text, notebooks show tables;
        `.places` are the facts, `.svg` is the outline tree, `.dot` all pictures in Graphviz's language.
        """
        # Notebooks live above this room.
        return importlib.import_module("irgl.notebook.explanation").Explanation(self)

    def _repr_html_(self) -> str:
        html: str = importlib.import_module("irgl.notebook.views").program(self)
        return html

    def __call__(self, given: Any = None, /, **params: Any) -> Answer:
        """Runs the program on a graph (or mesh) and gives its results.

        given: a graph as irgl.as_graph takes it, or a file's name; a program that loads a file by itself needs none.
        params: the program's own by name, further graphs
        too; nodes and lists of nodes by their names in the graph, or their numbers; inputs as arrays, dicts by name, or
        the name of an attribute of the graph's (docs/inputs.md); and the options of `irgl.run`: threads, repeat, seed,
        worklist_capacity, devices; weight: the edge attribute or column of the first graph that holds its weights.
        progress=True shows a bar (tqdm's where it is installed) while it loads, builds and repeats; False shows none.
        profile=True has code built that notes what its loops do, which the answer's `profile` tells (docs/profile.md).
        Where the program has a parameter of such a name, it is that parameter.

        The first call builds the unit (a second or two), unless the cache has it. Python's other threads run meanwhile.
        Raises IrglError for a graph or value that the program can't take, and where the program stops or faults, at its
        line. KeyboardInterrupt stops the run and leaves the process usable.
        """
        own = {*self.manifest.order, *inputs(self.manifest)}
        wanted = params.pop("progress", None) if "progress" not in own else None
        if wanted is False:
            return self._answer(given, params, own)
        view = importlib.import_module("irgl.notebook.progress").progress if wanted else None
        with shown(self.manifest.program, view):
            return self._answer(given, params, own)

    def _answer(self, given: Any, params: dict[str, Any], own: set[str]) -> Answer:
        m = self.manifest
        weight = params.pop("weight", None) if m.graphs and "weight" not in own else None
        profile = bool(params.pop("profile", False)) if "profile" not in own else False
        options = Options(**{n: params.pop(n) for n in _OPTIONS if n in params and n not in own})
        held = {g.name: params.get(g.name) if at else given for at, g in enumerate(m.graphs)}
        memory, graphs, lent = self._graphs(given, params, weight)
        mesh = self._mesh(given if not m.graphs else params.pop(m.mesh, None)) if m.mesh else None
        said = {name: self._value(name, value, graphs, memory) for name, value in params.items()}
        for name, (g, p) in inputs(m).items():
            if said.get(name) is not None:
                said[name] = from_python(p, said[name], graphs[g.name], memory.get(g.name), held[g.name])
        plan, source = self.plan, "given"
        if self._choose is not None:
            plan, source, m = self._choose(graphs, lambda: bind(self.manifest, graphs, said), mesh, options.threads)
        if profile:
            m = self._noting(plan, options)
        values = bind(m, graphs, said)  # a plan may have a say in a default
        if plan.target != "cpu":  # which tells more exactly, by itself
            listener()("running", None)
        outcome = run_on(m, graphs, values, plan, options, mesh, mode="lockstep" if profile else "check",
                         checked=self._checked, lent=lent)
        return Answer(m, outcome, memory, values, mesh, source)

    def _noting(self, plan: Plan, options: Options) -> Manifest:
        """The program under a plan, which notes what its loops do."""
        if plan.target == "cuda":
            raise IrglError("profile=True has no meaning for the target cuda: nothing counts what a GPU's threads do",
                            hint="the target simt counts what its code does")
        if options.repeat > 1:
            raise IrglError(f"profile=True tells of one run, and repeat asks for {options.repeat}",
                            hint="leave one of them out")
        assert self._profiled is not None
        return self._profiled(plan)

    def _graphs(self, given: Any, params: dict[str, Any], weight: str | None) -> tuple[
            dict[str, InMemory], dict[str, Graph], dict[str, Twins]]:
        """By parameter: the graphs as they were given, as the program needs them, and what is on a GPU of them."""
        if weight is not None and self.manifest.graphs[0].weighted is None:
            raise IrglError(f"weight={weight!r}: {self.manifest.program} uses no weights of its graph")
        memory: dict[str, InMemory] = {}
        graphs: dict[str, Graph] = {}
        lent: dict[str, Twins] = {}
        for at, g in enumerate(self.manifest.graphs):
            value = given if at == 0 else params.pop(g.name, None)
            if value is None and at == 0 and self.manifest.loads:
                value = place_of(self.manifest.loads, self.manifest.path)
            if value is None:
                hint = f"write {self.manifest.program}(graph)" if at == 0 else f"give {g.name}=..."
                raise IrglError(f"{self.manifest.program} needs a graph for `{g.name}`", hint=hint)
            if isinstance(value, str | Path) and (at > 0 or weight is None):
                graphs[g.name] = load(str(value), g, Loading(compact=not self.manifest.by_file_ids), listener())
            else:
                memory[g.name] = as_graph(value, weight=weight if at == 0 else None)
                # Ids of 64 bits would make a struct too wide to be touched as one.
                graphs[g.name] = memory[g.name].prepared(requirements(g), narrow=bool(self.manifest.units))
                # What is brought to a GPU is kept with a graph that the caller keeps.
                found = memory[g.name].lent
                lent[g.name] = found if memory[g.name] is value else dict(found)
        return memory, graphs, lent

    def _mesh(self, value: Any) -> Mesh:
        if isinstance(value, str | Path):
            return load_mesh(str(value))
        if not isinstance(value, Mesh):
            raise IrglError(f"{self.manifest.program} needs a mesh for `{self.manifest.mesh}`",
                            hint="give the name of a .ele file")  # fmt: skip
        return value

    def _value(self, name: str, value: Any, graphs: Mapping[str, Graph], memory: Mapping[str, InMemory]) -> Any:
        """A parameter's value; a node by its number."""
        p = next((p for p in self.manifest.params if p.name == name), None)
        if p is not None and p.item == "node" and value is not None:
            return by_name(p, value, graphs[p.graph], memory.get(p.graph))
        named = p is not None and p.graph in memory and memory[p.graph].labels is not None
        if p is not None and p.type == "node" and named and value is not None:
            return memory[p.graph].place(value)
        return value


def compiled(path: str, target: str, plan: str, text: str, db: Path | None) -> Program:
    """A program that was pickled."""
    made: Program = importlib.import_module("irgl.api").compile(path, target=target, plan=plan, text=text, db=db)
    return made
