"""Forms of rows on GPUs: loops under every scheduler take a node's edges from them, and no answer changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from support import nvcc as text_of_many
from support import simt
from support.awkward_graphs import awkward, directed
from support.forms_on_gpus import USES, left_by, spilled, uses_of
from support.plans import plan_of
from support.programs import PLACE, path_of

from irgl import driver
from irgl.forms.find import form, has_header, names, names_of
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.results.verify import verify
from irgl.source import IrglError
from irgl.space import legal_space

FORMS = [name for name in names() if form(name).kind == "rows" and has_header(name, "cuh")]
#: What a form leaves open, as small graphs meet it.
SMALL = {"split": {"split": "4"}, "cr2": {"cluster": "8"}}
GRAPHS = {name: awkward()[name] for name in
          ("empty", "one node", "self-loops", "parallel arcs", "star", "disconnected", "dense", "middling")}
#: A program for each plan, so that all schedulers come up with all that threads can do together, and with lists.
RUNS = (
    ("pr_pull", {"np": "serial", "cc": "off", "block": "32"}),
    ("sssp_nf", {"np": "wp+fg", "cc": "block", "outline": "all", "block": "32"}),
    ("bfs", {"np": "fg", "cc": "warp", "outline": "graph", "block": "32"}),
    ("cc", {"np": "tb", "cc": "off", "block": "32"}),
    ("bc", {"np": "wp", "cc": "block", "outline": "all", "block": "96"}),
    ("label_propagation", {"np": "tb+wp+fg", "cc": "thread", "block": "96"}),
    ("mst", {"np": "tb+fg", "cc": "block", "outline": "all", "block": "96", "mode": "lockstep"}),
    ("mis", {"np": "serial", "cc": "block", "block": "96"}),
)
SCHEDULERS = ("serial", "wp", "fg", "tb+wp+fg")
#: A loop over the edges of an edge's end, which its threads know of the loop around: weights and numbers of both.
TWICE = """graph Graph { node long p = 0; edge int w; }
Kernel two(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.edges) {
      ForAll (f In e.dst.edges) {
        f.dst.p += e.w * 3 + f.w + e.id * 5 + e.dst.id;
      }
    }
  }
}
Program main(Graph g) { Invoke two(g); }
"""


def twice(graph: Graph) -> list[int]:
    """What TWICE leaves."""
    p = np.zeros(graph.num_nodes, int)
    weight = np.ones(graph.num_edges, int) if graph.weight is None else graph.weight
    for e, m in enumerate(graph.dst):
        for f in range(int(graph.row[m]), int(graph.row[m + 1])):
            p[graph.dst[f]] += int(weight[e]) * 3 + int(weight[f]) + e * 5 + int(m)
    return p.tolist()


def many() -> Graph:
    """A node of very many edges, whose ends lie near it, far from it and on it, and one of few in another place."""
    far = [0, *range(2, 700, 3), *range(5000, 6000, 7), 4000, 4000]
    return directed(6001, [*((1, k) for k in far), (5000, 1), (5000, 5999), (5000, 5000)])


@pytest.mark.parametrize("kind", ["rows", "sweep"])
def test_forms_of_a_kind_are_known_without_loading_them(kind: str) -> None:
    assert names_of(kind) == tuple(name for name in names() if form(name).kind == kind)


@pytest.mark.parametrize("name", FORMS)
def test_a_form_changes_no_answer(name: str) -> None:
    given = {"mode": "check", "seed": "1", "format": name, **SMALL.get(name, {})}
    runs = [(program, {"capacity": str(k % 2), **given, **plan})
            for k, (program, plan) in enumerate(RUNS)]
    assert all("irgl::Placed" in simt.manifest_under(*run).text for run in runs)
    assert simt.complaints(runs, GRAPHS) == []


@pytest.mark.parametrize("np_", SCHEDULERS)
@pytest.mark.parametrize("name", FORMS)
def test_an_edge_is_used_in_every_way(name: str, np_: str) -> None:
    cc = ("off", "warp", "block", "thread")[SCHEDULERS.index(np_)]
    plan = plan_of({"format": name, **SMALL.get(name, {}), "np": np_, "cc": cc, "block": "32"})
    for graph in (GRAPHS["self-loops"], GRAPHS["empty"], GRAPHS["middling"], many()):
        assert left_by(USES, plan, graph, "irgl::Placed") == uses_of(graph)


@pytest.mark.parametrize("np_", SCHEDULERS[::2])
@pytest.mark.parametrize("name", FORMS)
def test_a_loop_in_a_loop_knows_the_edge_around_it(name: str, np_: str) -> None:
    plan = plan_of({"format": name, **SMALL.get(name, {}), "np": np_, "cc": "block", "block": "32"})
    graph = GRAPHS["middling"]
    assert left_by(TWICE, plan, graph, "irgl::Placed") == {"p": twice(graph)}


@pytest.mark.parametrize("of", ["middling", "a long row"])
@pytest.mark.parametrize("name", FORMS)
def test_ids_may_have_64_bits(name: str, of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "widths", lambda _: (64, 64))
    monkeypatch.setattr(device, "widths_for", lambda *_: (64, 64))
    plan = plan_of({"format": name, "block": "32", "np": "wp+fg"})
    manifest = manifest_of(driver.compile(path_of("sssp_nf"), target="simt", plan=plan), str(plan))
    graph = prepare(GRAPHS[of] if of in GRAPHS else many(), requirements(manifest.graphs[0]))
    wide = Graph(graph.row.astype(np.int64), graph.dst.astype(np.int64), graph.weight)
    inputs = {manifest.graphs[0].name: wide}
    values = bind(manifest, inputs, {})
    assert verify(manifest, inputs, values, device.run(manifest, inputs, values, plan, Options()).result) is None


def test_loops_over_lists_may_take_them_and_schedulers_mean_what_they_say() -> None:
    program = driver.ready(PLACE / "pr.irgl")
    space = {(c.place, c.option): c for c in legal_space(program.checked.program, "simt")}
    assert set(FORMS) < set(space["push_residual.loop1.loop1", "format"].values)
    unit = driver.emit(program, Plan.parse("format=split np=wp", "simt"), "simt")
    assert "push_residual.loop1.loop1: np=wp" in unit.applied
    assert "irgl::nested<irgl::WP, " in unit.text


@pytest.mark.parametrize(("plan", "why"), [
    ("format=cr2 push_residual.loop1.loop1.expand=off", "the loop around it runs over a list"),
    ("format=cr2 expand=off start_even.loop1.loop1.np=tb", "its edges are taken part by part"),
])
def test_what_can_not_be_honoured_is_refused(plan: str, why: str) -> None:
    with pytest.raises(IrglError, match=f"can't be honoured: {why}"):
        driver.compile(PLACE / "pr.irgl", target="simt", plan=Plan.parse(plan, "simt"))


def test_a_form_that_has_both_ways_is_rows_where_it_can_not_be_swept() -> None:
    unit = driver.compile(PLACE / "pr.irgl", target="simt", plan=Plan.parse("format=cr2 expand=off", "simt"))
    forms = {dict(f.options)["expand"] for g in unit.graph_params for f in g.forms}
    assert forms == {"on", "off"}
    assert any(line.startswith("push_residual.loop1.loop1: expand=off: ") for line in unit.not_applicable)


def test_part_of_a_row_stays_with_rows() -> None:
    with pytest.raises(IrglError, match="can't be honoured: it does not run over all edges of a node"):
        driver.compile("k.irgl", target="simt", text=USES.replace("n.edges)", "n.edges.skip(1))"),
                       plan=Plan.parse("all.loop1.loop1.format=split", "simt"))


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("architectures", text_of_many.ARCHITECTURES)
def test_nvcc_has_nothing_to_say(architectures: tuple[int, ...], tmp_path: Path) -> None:
    rows = [{"np": "wp+fg", "cc": "block", "outline": "all", "format": name, "block": "256"} for name in FORMS]
    assert text_of_many.complaints(["bfs"], rows, tmp_path, architectures) == []


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("name", FORMS)
def test_nothing_is_spilled(name: str, tmp_path: Path) -> None:
    plan = plan_of({"np": "wp+fg", "cc": "block", "outline": "all", "format": name}, "cuda")
    assert spilled(path_of("pr_pull"), plan, tmp_path) == {"0"}
