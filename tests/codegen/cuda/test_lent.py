"""Units for CUDA on graphs and properties that lie in the device's memory: in the emulator, and through nvcc."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.awkward_graphs import awkward, random_arcs
from support.places import ROOT, TESTS
from support.programs import PLACE

from irgl import driver
from irgl.plan import Plan
from irgl.rt.call import abi, device
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.call.dtypes import dtype_of
from irgl.rt.call.run import Options, Outcome
from irgl.rt.compile import nvcc
from irgl.rt.compile.build import open_library
from irgl.rt.emulate import emulate
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.results.verify import verify
from irgl.standalone import several

WRAPPER = TESTS / "cuda_rt"
PROGRAMS = ("bfs", "sssp_nf", "pr", "pr_pull", "tri", "mst", "cc", "kcore")
needs_gcc = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")


def lent(manifest: Manifest, folder: Path) -> Path:
    """The program's unit as an executable that lays the graphs of a call into the device's memory, and runs on them."""
    lists = []
    for g in manifest.graphs:
        parts = []
        for p, filled in [*((p, p.borrowed) for p in g.properties), *((p, True) for p in g.properties if p.changed)]:
            size = 0 if p.type == "lock" else dtype_of(p.type, manifest.structs, 32, 32).itemsize
            parts.append(f"{{{size}, {int(p.owner == 'edge')}, {int(filled)}}}")
        lists.append("{{" + ", ".join([*parts, "{size_t(-1), false, false}"]) + "}}")
    source = folder / f"{manifest.program}.cu"
    source.write_text(f"{manifest.text}\n#define LENT_GRAPHS {', '.join(lists)}\n"
                      '#include "lent_run.hpp"\n#include "cuda_rt/process.cuh"\n')
    bits = ["IRGL_NODE_BITS=32", "IRGL_EDGE_BITS=32"]
    return emulate.build(source, include=[ROOT, WRAPPER], defines=bits, slim=True)


def both(name: str, given: Graph, folder: Path, plan: str = "default", **params: Any) -> tuple[
        Outcome, Outcome, Graph, str | None]:
    """The run on lent memory, the ordinary one, the prepared graph, and what is wrong with the first."""
    chosen = Plan.parse(plan, "simt")
    manifest = open_program(PLACE / f"{name}.irgl", chosen)
    graphs = {g.name: prepare(given, requirements(g)) for g in manifest.graphs}
    values = bind(manifest, graphs, params)
    found = device.run_built(lent(manifest, folder), 0.0, manifest, graphs, values, chosen, Options())
    usual = device.run(manifest, graphs, values, chosen, Options())
    wrong = verify(manifest, graphs, values, found.result) if manifest.verifier is not None else None
    return found, usual, next(iter(graphs.values())), wrong


@needs_gcc
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_right_on_lent_memory(name: str, tmp_path: Path) -> None:
    for plan in ("default", "none"):
        assert both(name, random_arcs(5, 90, 400), tmp_path, plan)[3] is None


@needs_gcc
@pytest.mark.parametrize("form", ["coo", "sell", "blocks"])
def test_forms_of_edges_lie_on_lent_memory_too(form: str, tmp_path: Path) -> None:
    found, *_, wrong = both("sssp_bf", random_arcs(5, 90, 400), tmp_path, f"format={form}")
    assert (wrong, [told.format for told in found.forms]) == (None, [form])


@needs_gcc
@pytest.mark.parametrize(("name", "pack"), [("pr", "pagerank+residual"), ("bc", "hops+trails+is_source")])
def test_properties_side_by_side_are_brought_from_and_to_lent_memory(name: str, pack: str, tmp_path: Path) -> None:
    found, usual, _, wrong = both(name, random_arcs(5, 90, 400), tmp_path, f"pack={pack}")
    assert (wrong, set(found.result.properties)) == (None, set(usual.result.properties))


#: An input that is read, and one that is changed.
INPUTS = """graph G { input node double score = 0; node long sum = 3; input node int8 kept = 2; }
double seen = 0;
Kernel add(G g) { ForAll (n In g.nodes) { n.kept += 1; ForAll (e In n.edges) { e.dst.sum += (long) n.score; } } }
Program inputs(G g) { Invoke add(g); seen = g.node(1).score + g.node(2).sum; }
"""


@needs_gcc
def test_inputs_side_by_side_are_brought_from_lent_memory(tmp_path: Path) -> None:
    (tmp_path / "inputs.irgl").write_text(INPUTS)
    given = {"score": np.arange(90) / 2, "kept": np.arange(90) % 7}
    left = [ran.result for plan in ("default", "pack=score+sum+kept")
            for ran in both(str(tmp_path / "inputs"), random_arcs(5, 90, 400), tmp_path, plan, **given)[:2]]
    assert {(ran.scalars["seen"], *(tuple(v.array.tolist()) for v in ran.properties.values())) for ran in left} == {
        (left[0].scalars["seen"], *(tuple(v.array.tolist()) for v in left[0].properties.values()))}
    assert left[0].properties["kept"].array.tolist() == [v % 7 + 1 for v in range(90)]


@needs_gcc
@pytest.mark.parametrize("name", ["bfs", "sssp_nf", "pr", "tri"])
def test_no_array_is_copied(name: str, tmp_path: Path) -> None:
    found, usual, graph, wrong = both(name, random_arcs(5, 300, 2000), tmp_path)
    arrays = sum(v.array.nbytes for v in found.result.properties.values())
    arrays += sum(a.nbytes for a in (graph.row, graph.dst, graph.weight) if a is not None)
    # The emulator counts what goes over around the unit, too: every array once.
    own = found.stats["transfer_bytes"] - arrays
    assert (wrong, own) == (None, usual.stats["transfer_bytes"] - arrays)
    assert own < 4000


@needs_gcc
@pytest.mark.parametrize("graph", ["empty", "one"])
def test_tiny_graphs_on_lent_memory(graph: str, tmp_path: Path) -> None:
    given = {"empty": Graph(np.zeros(1, np.int32), np.empty(0, np.int32)),
             "one": Graph(np.zeros(2, np.int32), np.empty(0, np.int32))}[graph]
    for name in ("bfs", "tri"):
        assert both(name, given, tmp_path)[3] is None


@needs_gcc
def test_a_unit_for_the_cpu_refuses_such_a_graph() -> None:
    manifest = open_program(PLACE / "bfs.irgl", Plan.parse("default", "cpu"))
    graphs = {"g": prepare(awkward()["path"], requirements(manifest.graphs[0]))}
    library, _ = open_library(manifest.text)
    call = Call(manifest, graphs, bind(manifest, graphs, {}), (32, 32))
    call.set_knobs(Plan.parse("default", "cpu"), 1, 0, 0)
    call.records[0].flags |= abi.GRAPH_ON_DEVICE
    call.records[0].row = 8  # an address that the host does not have
    assert (library.irgl_run(ctypes.byref(call.args)), call.fault[0]) == (1, abi.FAULT_DEVICE)


@needs_gcc
def test_a_rule_asks_for_the_offsets_of_a_lent_graph(tmp_path: Path) -> None:
    plans = [("max_degree > 40", Plan.parse("none", "simt")), ("always", Plan.parse("default", "simt"))]
    manifest = manifest_of(several(driver.ready(PLACE / "bfs.irgl"), plans, "simt"), "default")
    launches = []
    for name in ("star", "path"):
        graphs = {"g": prepare(awkward()[name], requirements(manifest.graphs[0]))}
        values = bind(manifest, graphs, {})
        found = device.run_built(lent(manifest, tmp_path), 0.0, manifest, graphs, values, plans[1][1], Options())
        launches.append(found.stats["launches"])
        assert device.run(manifest, graphs, values, plans[1][1], Options()).stats["launches"] == launches[-1]
    assert launches[0] != launches[1]


def complaints(name: str, architecture: int, folder: Path) -> list[str]:
    manifest = open_program(PLACE / f"{name}.irgl", Plan.parse("default", "cuda"))
    source, built = folder / f"{name}{architecture}.cu", folder / f"{name}{architecture}.so"
    source.write_text(manifest.text)
    words = ["nvcc", *nvcc.FLAGS, *nvcc.SHARED, f"-arch=sm_{architecture}", f"-I{ROOT}", "-Xcompiler", "-Wall",
             "-DIRGL_NODE_BITS=32", "-DIRGL_EDGE_BITS=32", str(source), "-o", str(built)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).strip()
    if said or done.returncode != 0:
        return [f"{name} sm_{architecture}: {said[:1000] or done.returncode}"]
    exported = subprocess.run(["nm", "-D", "--defined-only", str(built)], capture_output=True, text=True, check=True)
    names = [line.split()[-1] for line in exported.stdout.splitlines()]
    mixed_up = [n for n in names if n.startswith("cuda")] + [
        line for line in exported.stdout.splitlines() if line.split()[-2] == "u"]
    return [] if "irgl_run" in names and not mixed_up else [f"{name} exports {mixed_up or names}"]


@needs_nvcc
@pytest.mark.parametrize(("name", "architecture"), [("sssp_nf", 75), ("bfs", 90), ("mst", 120)])
def test_nvcc_makes_a_library_without_a_warning(name: str, architecture: int, tmp_path: Path) -> None:
    assert complaints(name, architecture, tmp_path) == []
