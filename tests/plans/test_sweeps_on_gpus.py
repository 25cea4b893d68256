"""The option format on GPUs: what is legal where, and that no answer changes, in the emulator and in nvcc's eyes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support import nvcc as text_of_many
from support import simt
from support.awkward_graphs import awkward
from support.places import ROOT
from support.plans import plan_of
from support.programs import PLACE, path_of

from irgl import driver
from irgl.forms.find import form, has_header, names
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.compile import nvcc
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.results.verify import verify
from irgl.source import IrglError
from irgl.space import legal_space

SWEEPS = [name for name in names() if form(name).kind == "sweep" and has_header(name, "cuh")]
GRAPHS = {name: awkward()[name] for name in
          ("empty", "one node", "self-loops", "parallel arcs", "star", "path", "disconnected", "middling")}
SWEPT = ("pr_pull", "pr", "sssp_bf", "bfs_topo", "bc", "traverse", "hits", "colouring")
PLAIN = {"capacity": "0", "mode": "check", "seed": "1"}
TAKEN = {"np": "wp+fg", "cc": "block", "outline": "all"}
#: Every kind of use of an edge: its weight, its number, a property by number, both ends, sums into both, an append.
USES = """graph Graph { node long p = 0; node long q = 0; edge int w; edge int met = 0; }
long edges = 0;
Kernel all(Graph g, list<node> out) {
  ForAll (n In g.nodes) {
    long sum = 0;
    long here = n.id;
    if (n.id % 3 != 1) {
      ForAll (e In n.edges) {
        sum += e.w * (e.id + 1) + here;
        e.dst.q += e.src.id + e.w;
        e.met += 1;
        edges += 1;
        if (e.dst.id > here) { out.push(e.dst); }
      }
    }
    n.p = sum;
  }
}
Program main(Graph g) { list<node> out; Invoke all(g, out); }
"""
#: A loop over a set of nodes.
OF_SET = """graph Graph { node int p = 0; node int q = 0; }
Kernel choose(Graph g, KIND<node> some) { ForAll (n In g.nodes) { if (n.id % 3 == 0) { some.push(n); } } }
Kernel step(Graph g, KIND<node> some) {
  ForAll (n In some.items) { ForAll (e In n.edges) { e.dst.p += 1; } n.q += 1; }
}
Program main(Graph g) { KIND<node> some; Invoke choose(g, some); Invoke step(g, some); }
"""


def uses_of(graph: Graph) -> dict[str, list[int]]:
    """What USES leaves."""
    p, q, met = np.zeros(graph.num_nodes, int), np.zeros(graph.num_nodes, int), np.zeros(graph.num_edges, int)
    for n in range(graph.num_nodes):
        for e in range(int(graph.row[n]), int(graph.row[n + 1])) if n % 3 != 1 else ():
            weight = 1 if graph.weight is None else int(graph.weight[e])
            p[n] += weight * (e + 1) + n
            q[graph.dst[e]] += n + weight
            met[e] += 1
    return {"p": p.tolist(), "q": q.tolist(), "met": met.tolist()}


def left_by(text: str, plan: Plan, graph: Graph) -> dict[str, list[int]]:
    """What a program that sweeps leaves in its properties but for the weights."""
    unit = driver.emit(driver.ready("p.irgl", text), plan, "simt")
    assert "irgl::swept<" in unit.text
    manifest = manifest_of(unit, str(plan))
    inputs = {"g": prepare(graph, requirements(manifest.graphs[0]))}
    result = device.run(manifest, inputs, bind(manifest, inputs, {}), plan, Options()).result
    return {p: v.array.tolist() for p, v in result.properties.items() if p != "w"}


@pytest.mark.parametrize("name", SWEEPS)
def test_a_form_changes_no_answer(name: str) -> None:
    runs = [(program, {**PLAIN, **TAKEN, "format": name, "block": ("32", "256")[k % 2]})
            for k, program in enumerate(SWEPT)]
    assert all("irgl::swept<" in simt.manifest_under(*run).text for run in runs)
    assert simt.complaints(sorted(runs, key=lambda run: run[1]["block"]), GRAPHS) == []


@pytest.mark.parametrize("row", [
    {"format": "blocks", "tile": "13", "inside": "row"}, {"format": "blocks", "tile": "18", "inside": "column"},
    {"format": "sell", "chunk": "32", "sigma": "1"}, {"format": "sell", "sigma": "24"},
    {"format": "coo", "order": "degree"},
])
def test_what_a_plan_leaves_open_changes_no_answer(row: dict[str, str]) -> None:
    runs = [(program, {**PLAIN, "block": "32", "seed": "2", **row, **others}) for program, others in
            (("sssp_bf", {"cc": "warp"}), ("bfs_topo", {"outline": "graph"}), ("pr_pull", {"mode": "lockstep"}))]
    assert simt.complaints(runs, GRAPHS) == []


@pytest.mark.parametrize("cc", ["off", "thread", "warp", "block"])
@pytest.mark.parametrize("name", SWEEPS)
def test_an_edge_is_used_in_every_way(name: str, cc: str) -> None:
    plan = plan_of({"format": name, "cc": cc, "block": "32"})
    for graph in (GRAPHS["self-loops"], GRAPHS["empty"], GRAPHS["middling"]):
        assert left_by(USES, plan, graph) == uses_of(graph)


@pytest.mark.parametrize("kind", ["bitmap", "bytemap"])
@pytest.mark.parametrize("name", SWEEPS)
def test_a_set_is_asked_for_each_node(name: str, kind: str) -> None:
    graph = GRAPHS["middling"]
    chosen = np.arange(graph.num_nodes) % 3 == 0
    met = np.bincount(graph.dst[np.repeat(chosen, np.diff(graph.row))], minlength=graph.num_nodes)
    found = left_by(OF_SET.replace("KIND", kind), plan_of({**TAKEN, "format": name, "block": "32"}), graph)
    assert found == {"p": met.tolist(), "q": chosen.astype(int).tolist()}


@pytest.mark.parametrize("name", SWEEPS)
def test_ids_may_have_64_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "widths", lambda _: (64, 64))
    monkeypatch.setattr(device, "widths_for", lambda *_: (64, 64))
    plan = plan_of({"format": name, "block": "32"})
    manifest = manifest_of(driver.compile(path_of("sssp_bf"), target="simt", plan=plan), str(plan))
    graph = prepare(GRAPHS["middling"], requirements(manifest.graphs[0]))
    wide = Graph(graph.row.astype(np.int64), graph.dst.astype(np.int64), graph.weight)
    inputs = {manifest.graphs[0].name: wide}
    values = bind(manifest, inputs, {})
    assert verify(manifest, inputs, values, device.run(manifest, inputs, values, plan, Options()).result) is None


def test_the_legal_space_tells_forms_and_what_they_leave_open() -> None:
    space = {(c.place, c.option): c for c in legal_space(driver.ready(PLACE / "pr.irgl").checked.program, "simt")}
    swept, not_swept = space["start_even.loop1.loop1", "format"], space["push_residual.loop1.loop1", "format"]
    assert set(SWEEPS) < set(swept.values)
    assert dict(swept.refused)["split"] == "split has no header for CUDA"
    assert not_swept.reason == "the loop around it runs over a list, which can't be asked for a node"
    assert space["start_even.loop1.loop1", "tile"].reason is None
    assert "runs" not in space["start_even.loop1.loop1", "inside"].values


@pytest.mark.parametrize(("plan", "why"), [
    ("push_residual.loop1.loop1.format=coo", "the loop around it runs over a list"),
    ("start_even.loop1.loop1.format=split", "split has no header for CUDA"),
    ("format=coo start_even.loop1.loop1.np=tb", "its edges are taken part by part"),
    ("format=blocks start_even.loop1.loop1.inside=runs", "edges of a run are found one after the other"),
])
def test_what_can_not_be_honoured_is_refused(plan: str, why: str) -> None:
    with pytest.raises(IrglError, match=f"can't be honoured: {why}"):
        driver.compile(PLACE / "pr.irgl", target="simt", plan=Plan.parse(plan, "simt"))


def test_what_is_said_of_all_loops_is_told_where_it_does_not_apply() -> None:
    unit = driver.compile(PLACE / "pr.irgl", target="simt", plan=Plan.parse("format=blocks inside=runs", "simt"))
    assert "start_even.loop1.loop1: format=blocks" in unit.applied
    assert any(line.startswith("push_residual.loop1.loop1: format=blocks: ") for line in unit.not_applicable)
    assert any(line.startswith("start_even.loop1.loop1: inside=runs: ") for line in unit.not_applicable)
    assert "start_even.loop1.loop1: np=wp+fg: its edges are taken part by part" in unit.not_applicable


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("name", SWEEPS)
def test_nvcc_has_nothing_to_say(name: str, tmp_path: Path) -> None:
    row = {**TAKEN, "format": name, "block": "256"}
    assert text_of_many.complaints(["sssp_bf"], [row], tmp_path, (75, 90, 120)) == []


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("name", SWEEPS)
def test_nothing_is_spilled(name: str, tmp_path: Path) -> None:
    unit = driver.compile(path_of("pr_pull"), target="cuda", plan=plan_of({**TAKEN, "format": name}, "cuda"))
    (tmp_path / "unit.cu").write_text(unit.text)
    words = ["nvcc", *nvcc.FLAGS, f"-I{ROOT}", "-gencode=arch=compute_90,code=sm_90", "-Xptxas", "-v", "-cubin"]
    done = subprocess.run([*words, str(tmp_path / "unit.cu"), "-o", str(tmp_path / "unit.cubin")], capture_output=True,
                          text=True, check=True)
    spills = re.findall(r"(\d+) bytes spill", done.stderr)
    assert spills
    assert set(spills) == {"0"}
