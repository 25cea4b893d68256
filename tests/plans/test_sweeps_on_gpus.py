"""The option format on GPUs: what is legal where, and that no answer changes, in the emulator and in nvcc's eyes."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from support import nvcc as text_of_many
from support import simt
from support.awkward_graphs import awkward
from support.forms_on_gpus import USES, left_by, spilled, uses_of
from support.plans import plan_of
from support.programs import PLACE, path_of

from irgl import driver
from irgl.analysis.loops.copies import NOTHING
from irgl.forms import cr2
from irgl.forms.find import form, has_header, names
from irgl.forms.form import Rows
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.forms.native import native
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.results.verify import verify
from irgl.source import IrglError
from irgl.space import legal_space


def said(name: str) -> dict[str, str]:
    """What a plan says so that loops are swept over a form."""
    swept = form(name).swept
    return {"format": name} if swept is None else {"format": name, swept[0]: swept[1]}


SWEEPS = [name for name in names() if has_header(name, "cuh") and form(name).is_swept(said(name))]
GRAPHS = {name: awkward()[name] for name in
          ("empty", "one node", "self-loops", "parallel arcs", "star", "path", "disconnected", "middling")}
SWEPT = ("pr_pull", "pr", "sssp_bf", "bfs_topo", "bc", "traverse", "hits", "colouring")
#: Those that read of far ends what their loops leave as it is.
COPIED = ("pr_pull", "hits", "eccentricities")
PLAIN = {"capacity": "0", "mode": "check", "seed": "1"}
TAKEN = {"np": "wp+fg", "cc": "block", "outline": "all"}
#: A loop over a set of nodes.
OF_SET = """graph Graph { node int p = 0; node int q = 0; node int by = 1; }
Kernel choose(Graph g, KIND<node> some) { ForAll (n In g.nodes) { if (n.id % 3 == 0) { some.push(n); } } }
Kernel step(Graph g, KIND<node> some) {
  ForAll (n In some.items) { ForAll (e In n.edges) { e.dst.p += e.dst.by; } n.q += 1; }
}
Program main(Graph g) { KIND<node> some; Invoke choose(g, some); Invoke step(g, some); }
"""


def programs_of(name: str) -> tuple[str, ...]:
    """Programs with loops that may be swept over a form."""
    return COPIED if form(name).copies else SWEPT


@pytest.mark.parametrize("name", SWEEPS)
def test_a_form_changes_no_answer(name: str) -> None:
    runs = [(program, {**PLAIN, **TAKEN, **said(name), "block": ("32", "256")[k % 2]})
            for k, program in enumerate(programs_of(name))]
    assert all("irgl::swept<" in simt.manifest_under(*run).text for run in runs)
    assert simt.complaints(sorted(runs, key=lambda run: run[1]["block"]), GRAPHS) == []


@pytest.mark.parametrize("row", [
    {"format": "blocks", "tile": "13", "inside": "row"}, {"format": "blocks", "tile": "18", "inside": "column"},
    {"format": "sell", "chunk": "32", "sigma": "1"}, {"format": "sell", "sigma": "24"},
    {"format": "coo", "order": "degree"}, {"format": "cr2", "expand": "off", "cluster": "8", "block": "512"},
])
def test_what_a_plan_leaves_open_changes_no_answer(row: dict[str, str]) -> None:
    runs = [(program, {**PLAIN, "block": "32", "seed": "2", **row, **others}) for program, others in
            (("sssp_bf", {"cc": "warp"}), ("bfs_topo", {"outline": "graph"}), ("pr_pull", {"mode": "lockstep"}))]
    assert simt.complaints(runs, GRAPHS) == []


@pytest.mark.parametrize("cc", ["off", "thread", "warp", "block"])
@pytest.mark.parametrize("name", SWEEPS)
def test_an_edge_is_used_in_every_way(name: str, cc: str) -> None:
    plan = plan_of({**said(name), "cc": cc, "block": "32"})
    for graph in (GRAPHS["self-loops"], GRAPHS["empty"], GRAPHS["middling"]):
        assert left_by(USES, plan, graph) == uses_of(graph)


@pytest.mark.parametrize("kind", ["bitmap", "bytemap"])
@pytest.mark.parametrize("name", SWEEPS)
def test_a_set_is_asked_for_each_node(name: str, kind: str) -> None:
    graph = GRAPHS["middling"]
    chosen = np.arange(graph.num_nodes) % 3 == 0
    met = np.bincount(graph.dst[np.repeat(chosen, np.diff(graph.row))], minlength=graph.num_nodes)
    found = left_by(OF_SET.replace("KIND", kind), plan_of({**TAKEN, **said(name), "block": "32"}), graph)
    assert found == {"p": met.tolist(), "q": chosen.astype(int).tolist(), "by": [1] * graph.num_nodes}


@pytest.mark.parametrize("name", SWEEPS)
def test_ids_may_have_64_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "widths", lambda _: (64, 64))
    monkeypatch.setattr(device, "widths_for", lambda *_: (64, 64))
    plan = plan_of({**said(name), "block": "32"})
    program = path_of(next(p for p in programs_of(name) if p in ("sssp_bf", "pr_pull")))
    manifest = manifest_of(driver.compile(program, target="simt", plan=plan), str(plan))
    graph = prepare(GRAPHS["middling"], requirements(manifest.graphs[0]))
    wide = Graph(graph.row.astype(np.int64), graph.dst.astype(np.int64), graph.weight)
    inputs = {manifest.graphs[0].name: wide}
    values = bind(manifest, inputs, {})
    assert verify(manifest, inputs, values, device.run(manifest, inputs, values, plan, Options()).result) is None


def test_the_legal_space_tells_forms_and_what_they_leave_open() -> None:
    space = {(c.place, c.option): c for c in legal_space(driver.ready(PLACE / "pr.irgl").checked.program, "simt")}
    swept, not_swept = space["start_even.loop1.loop1", "format"], space["push_residual.loop1.loop1", "format"]
    assert {name for name in SWEEPS if not form(name).copies} < set(swept.values)
    assert dict(swept.refused)["shards"] == NOTHING
    assert dict(not_swept.refused)["coo"] == "the loop around it runs over a list, which can't be asked for a node"
    assert space["start_even.loop1.loop1", "tile"].reason is None
    assert "runs" not in space["start_even.loop1.loop1", "inside"].values


@pytest.mark.parametrize(("plan", "why"), [
    ("push_residual.loop1.loop1.format=coo", "the loop around it runs over a list"),
    ("format=coo start_even.loop1.loop1.np=tb", "its edges are taken part by part"),
    ("format=blocks start_even.loop1.loop1.inside=runs", "edges of a run are found one after the other"),
    ("start_even.loop1.loop1.format=shards", NOTHING),
])
def test_what_can_not_be_honoured_is_refused(plan: str, why: str) -> None:
    with pytest.raises(IrglError, match=f"can't be honoured: {why}"):
        driver.compile(PLACE / "pr.irgl", target="simt", plan=Plan.parse(plan, "simt"))


def test_what_is_said_of_all_loops_is_told_where_it_does_not_apply() -> None:
    unit = driver.compile(PLACE / "pr.irgl", target="simt", plan=Plan.parse("format=blocks inside=runs", "simt"))
    assert "start_even.loop1.loop1: format=blocks" in unit.applied
    assert any(line.startswith("push_residual.loop1.loop1: format=blocks: ") for line in unit.not_applicable)
    assert any(line.startswith("start_even.loop1.loop1: inside=runs: ") for line in unit.not_applicable)
    assert "start_even.loop1.loop1: np=tb+wp+fg: its edges are taken part by part" in unit.not_applicable


def test_sums_take_an_atomic_for_each_piece_of_cr2() -> None:
    text = """graph Graph { node int p = 0; edge int w; }
Kernel add(Graph g) { ForAll (n In g.nodes) { int sum = 0; ForAll (e In n.edges) { sum += e.w + 1; } n.p = sum; } }
Program main(Graph g) { Invoke add(g); }"""
    graph, plan = GRAPHS["middling"], plan_of({**said("cr2"), "block": "256"})
    manifest = manifest_of(driver.emit(driver.ready("p.irgl", text), plan, "simt"), str(plan))
    counted = device.run(manifest, {"g": graph}, {}, plan, Options()).stats["shared_atomics"]
    here, across = cr2.build(Rows(graph.row, graph.dst), said("cr2") | {"cluster": "16"}, native(32, 32)).arrays[:3:2]
    assert sum(counted.values()) == len(here) + len(across)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("architectures", text_of_many.ARCHITECTURES)
def test_nvcc_has_nothing_to_say(architectures: tuple[int, ...], tmp_path: Path) -> None:
    rows = [{**TAKEN, **said(name), "block": "256"} for name in SWEEPS]
    rows.append({**TAKEN, "format": "coo", "segments": "auto", "block": "256"})
    for copies, program in ((False, "sssp_bf"), (True, "pr_pull")):
        mine = [row for row in rows if form(row["format"]).copies == copies]
        assert text_of_many.complaints([program], mine, tmp_path, architectures) == []


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("name", SWEEPS)
def test_nothing_is_spilled(name: str, tmp_path: Path) -> None:
    assert spilled(path_of("pr_pull"), plan_of({**TAKEN, **said(name)}, "cuda"), tmp_path) == {"0"}
