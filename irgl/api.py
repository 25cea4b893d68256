"""irgl from Python: what `import irgl` offers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irgl.plan import Plan
from irgl.rt.bind import bind
from irgl.rt.graph import Graph
from irgl.rt.graphs import Loading, load
from irgl.rt.manifest import Manifest
from irgl.rt.meshes import Mesh
from irgl.rt.program import open_program
from irgl.rt.run import Options, Outcome
from irgl.rt.run import run as run_compiled
from irgl.source import IrglError


def compile(program: str | Path, *, plan: str = "default") -> Manifest:
    """The compiled program of a file: its interface, and its C++ in `.text`. Raises IrglError for its mistakes."""
    return open_program(program, Plan.parse(plan))


def load_graph(spec: str | Path, program: Manifest, *, parameter: str | None = None, **loading: Any) -> Graph:
    """The graph of a file or generator, prepared for a graph parameter (the first) of a compiled program.

    loading: format, undirected, coordinates, index_bits, compact. Raises IrglError.
    """
    found = [g for g in program.graphs if parameter in (None, g.name)]
    if not found:
        raise IrglError(f"{program.program} has no graph parameter `{parameter}`")
    return load(str(spec), found[0], Loading(**loading))


def run(program: str | Path | Manifest, graph: str | Path | Graph | Mesh, *, plan: str = "default",
        threads: int | None = None, repeat: int = 1, worklist_capacity: int = 0, seed: int = 0,
        graphs: Mapping[str, Graph] | None = None, mesh: Mesh | None = None, **params: Any) -> Outcome:
    """Runs a program on a graph and gives its results: `.result.scalars`, `.result.array(NAME)`, `.kernel_ms`.

    params: the program's own, nodes in the file's numbering. graphs: those after the first, by parameter. A Graph must
    be prepared as the program needs it (load_graph does that). A program that wants a mesh and no graph takes a Mesh
    (irgl.rt.meshes) in the graph's place; `.result.mesh` is what became of it. Raises IrglError.
    """
    manifest = program if isinstance(program, Manifest) else compile(program, plan=plan)
    loaded = dict(graphs or {})
    for at, g in enumerate(manifest.graphs):
        if at == 0 and not isinstance(graph, Mesh):
            loaded[g.name] = graph if isinstance(graph, Graph) else load_graph(graph, manifest)
        elif g.name not in loaded:
            raise IrglError(f"{manifest.program} needs a graph for `{g.name}`", hint=f"give graphs={{'{g.name}': ...}}")
    values = bind(manifest, loaded, params)
    return run_compiled(manifest, loaded, values, Plan.parse(plan), Options(threads, repeat, worklist_capacity, seed),
                        graph if isinstance(graph, Mesh) else mesh)
