"""The reference interpreter as a target, and as the judge of programs that name no verifier."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from irgl.analysis.names.symbols import Checked
from irgl.driver import front, transformed
from irgl.frontends.load import open_source, source_of
from irgl.interpret import run as interpret
from irgl.plan import Plan
from irgl.reference.mesh import from_arrays, to_arrays
from irgl.rt.call.dtypes import dtype_of
from irgl.rt.call.run import Options, Outcome, widths
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.meshes.meshes import Mesh, joined
from irgl.rt.results.difference import difference
from irgl.rt.results.interpreted import Counting
from irgl.rt.results.result import Result, make_result
from irgl.rt.results.verify import tolerance_of
from irgl.source import IrglError, is_falcon, is_graphit
from irgl.space import report

#: Beyond these a graph is no small one, and the interpreter isn't asked to judge.
MAX_NODES, MAX_EDGES = 2_000, 20_000


def run_reference(manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], options: Options, *,
                  text: str | None = None, mesh: Mesh | None = None, checked: Checked | None = None) -> Outcome:
    """Runs the program in the interpreter; like irgl.rt.call.run.run, which runs the compiled one."""
    if options.time_limit is not None:
        raise IrglError("the interpreter keeps no time limit", hint="use another target, or leave --time-limit out")
    if checked is None:
        source = open_source(manifest.path, manifest.program) if text is None else source_of(manifest.path, text)
        checked = front(source)
    nodes = {p.name for p in manifest.params if p.type == "node"}
    given = {n: None if n in nodes and v < 0 else v for n, v in values.items()}
    times: list[float] = []
    printed: list[str] = []
    mesh = None if mesh is None else joined(mesh)
    twin, profile = None, None
    for _ in range(options.repeat):
        if mesh is not None:
            given[manifest.mesh] = twin = from_arrays(mesh.xy, mesh.corners, mesh.across, mesh.sides, mesh.ends)
        begin = time.perf_counter()
        if manifest.sites is None:
            done = interpret(checked, graphs, given, worklist_capacity=options.worklist_capacity or None,
                             seed=options.seed)
        else:
            counting = Counting(transformed(checked), options.worklist_capacity or None, options.seed)
            done = counting.run(graphs, given)
            profile = counting.profile(max((g.num_edges for g in graphs.values()), default=0))
        times.append((time.perf_counter() - begin) * 1e3)
        printed += done.printed
    bits = widths(graphs.values())
    arrays = {}
    for g in manifest.graphs:
        for p in g.properties:
            if not p.borrowed and p.type != "lock":
                dtype = dtype_of(p.type, manifest.structs, *bits)
                arrays[g.name, p.owner, p.name] = np.asarray(done.graphs[g.name][p.name]).astype(dtype)
    left = None if mesh is None or twin is None else replace(mesh, across=np.empty((0, 3), np.int32), **to_arrays(twin))
    result = make_result(manifest, graphs, dict(done.scalars), arrays, left)
    return Outcome(result, 0.0, tuple(times), 1, dict(done.stats), tuple(printed), profile=profile)


def plan_report(manifest: Manifest, plan: Plan) -> tuple[list[str], list[str]]:
    """What the interpreter makes of a plan: nothing, and why."""
    return report(front(open_source(manifest.path, manifest.program)).program, plan, "ref")


def can_judge(manifest: Manifest, graphs: Mapping[str, Graph]) -> str | None:
    """None when the interpreter can tell whether a result is right, else why it can't."""
    if manifest.mesh:
        return "the program changes a mesh and names no verifier"
    if manifest.any_valid:
        return "the program has several right answers (any_valid) and names no verifier"
    if any(g.num_nodes > MAX_NODES or g.num_edges > MAX_EDGES for g in graphs.values()):
        return (f"the program names no verifier, and the graph is too large to compare with the interpreter "
                f"(at most {MAX_NODES:,} nodes and {MAX_EDGES:,} edges)")
    return None


def remedy(manifest: Manifest) -> str:
    """What makes answers of a program verifiable that names no verifier."""
    if is_graphit(manifest.path):
        return "write a verifier, and name it in a comment: % irgl: verify NAME(role = value, ...)"
    if is_falcon(manifest.path):
        return "write a verifier, and name it in a comment: // irgl: verify NAME(role = value, ...)"
    return "write a verifier and add a `verify` clause to the program"


def compare(manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], result: Result,
            options: Options) -> str | None:
    """None when the interpreter comes to the same result, else the first difference. IrglError where it can't tell."""
    reason = can_judge(manifest, graphs)
    if reason is not None:
        raise IrglError(f"can't verify: {reason}", hint=remedy(manifest))
    expected = run_reference(manifest, graphs, values, Options(seed=options.seed)).result
    return difference(result, expected, tolerance_of(manifest))
