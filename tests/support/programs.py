"""What tests of programs/ share: running one on a graph in memory, compiled or in the interpreter, and verifying it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.reference import run_reference
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.results.result import Result
from irgl.rt.results.verify import verify
from support.places import PROGRAMS

PLACE = PROGRAMS
#: Programs of the folder itself, each of which every test over programs runs and for which defaults are tuned.
EVERY = sorted(path.stem for path in PLACE.glob("*.irgl"))
#: Further programs, in either notation, whose tests are fewer.
MORE = sorted(path.stem for suffix in ("irgl", "py") for path in (PLACE / "more").glob(f"*.{suffix}"))
SHIPPED = sorted((*EVERY, *MORE))
#: Those that are given a mesh, which have tests of their own.
ON_MESHES = ("dmr",)
NAMES = [name for name in EVERY if name not in ON_MESHES]
#: Breadth-first searches, shortest paths, components and ranks each have several programs.
SEARCHES = ("bfs", "bfs_cx", "bfs_topo", "bfs_do")
PATHS = ("sssp_bf", "sssp_nf", "sssp_delta")
COMPONENTS = ("cc", "cc_afforest")
RANKS = ("pr", "pr_pull")
#: Programs that want more than a graph run elsewhere.
ON_GRAPHS = [name for name in NAMES if name in
             (*SEARCHES, *PATHS, *COMPONENTS, *RANKS, "tri", "mis", "mst", "kcore", "bc", "traverse")]


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: the graph as it was prepared for the program, the parameters' values, and what came out."""

    manifest: Manifest
    graph: Graph
    values: Mapping[str, Any]
    result: Result

    def __getitem__(self, name: str) -> Any:
        """A scalar, or a property's array; nodes in it are dense ids."""
        if name in self.result.scalars:
            return self.result.scalars[name]
        return self.result.properties[name].array

    def wrong(self) -> str | None:
        """What the program's own verifier says."""
        return verify(self.manifest, {self.manifest.graphs[0].name: self.graph}, self.values, self.result)


def path_of(name: str) -> Path:
    """The file of a program that comes with irgl."""
    places = (PLACE / f"{name}.irgl", PLACE / "more" / f"{name}.irgl", PLACE / "more" / f"{name}.py")
    return next(path for path in places if path.is_file())


def run_program(name: str | Path, graph: Graph, *, target: str = "cpu", threads: int = 2, seed: int = 0,
                capacity: int = 0, plan: str = "default", **given: Any) -> Ran:
    """Runs the program or file `name` on `graph` as its entry wants it; nodes are given by file id."""
    path = name if isinstance(name, Path) else path_of(name)
    chosen = Plan.parse(plan)
    manifest = open_program(path, chosen)
    prepared = prepare(graph, requirements(manifest.graphs[0]))
    graphs = {manifest.graphs[0].name: prepared}
    values = bind(manifest, graphs, given)
    options = Options(threads=threads, seed=seed, worklist_capacity=capacity)
    if target == "ref":
        outcome = run_reference(manifest, graphs, values, options)
    else:
        outcome = run(manifest, graphs, values, chosen, options)
    return Ran(manifest, prepared, values, outcome.result)
