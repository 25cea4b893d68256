"""segments: edges of coo by stretches of their far ends, on CPUs and in the emulator."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support import simt
from support.awkward_graphs import awkward
from support.forms_on_gpus import USES, left_by, uses_of
from support.plans import plan_of
from support.programs import PLACE, run_program
from support.running import outcome

from irgl import driver
from irgl.cli.main import exit_code
from irgl.forms import coo
from irgl.forms.cut import parts
from irgl.forms.form import Rows
from irgl.plan import Plan
from irgl.rt.forms import fitting
from irgl.rt.forms.fitting import fitted
from irgl.rt.forms.native import native
from irgl.rt.forms.placed import rows_of
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.manifests.manifest import FormNeed
from irgl.source import IrglError
from irgl.space import legal_space

GRAPHS = {name: awkward()[name] for name in
          ("empty", "one node", "self-loops", "parallel arcs", "star", "path", "disconnected", "middling")}
TAKES = "it takes how many, such as 4, or how many nodes each has, such as 65536n, `auto`, or `off`"
#: A loop that touches of each far end what PROPERTIES say.
LOOP = """graph Graph {{ node float p = 0; node double q = 1; node long r = 2; node bool odd = false; }}
Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ int sum = 0; ForAll (e In n.edges) {{ {body} }} n.r = sum; }} }}
Program main(Graph g) {{ Invoke k(g); }}"""


def ids(rows: Rows, bits: int) -> Rows:
    dtype = np.dtype(f"int{bits}")
    return Rows(rows.row.astype(dtype), rows.cols.astype(dtype), rows.part)


# What a plan says

@pytest.mark.parametrize(("said", "held"), [("4", "4"), ("007n", "7n"), ("auto", "auto"), ("off", "off")])
def test_a_plan_holds_what_is_said_of_segments(said: str, held: str) -> None:
    assert Plan.parse(f"format=coo segments={said}").text_of("segments") == held


@pytest.mark.parametrize("said", ["0", "0n", "-1", "n", "4x", "4.5", "", "four", "1e3n", "9" * 19])
def test_what_is_no_number_of_segments_is_refused(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(PLACE / "pr_pull.irgl"), "--graph", "path:10", "--plan", f"format=coo segments={said}"]
    assert exit_code(words) == 2
    assert capsys.readouterr().err.startswith(f"error: `segments={said}`: {TAKES}\n  hint: segments: by what stretches")


@pytest.mark.parametrize(("plan", "said"), [
    ("segments=4", "error: `segments=4` says how format=coo is laid out, and the plan takes none\n"
                   "  hint: add format=coo, or leave it out\n"),
    ("format=blocks segments=auto", "error: `segments=auto` says how format=coo is laid out, and the plan takes none\n"
                                    "  hint: add format=coo, or leave it out\n"),
    ("format=coo segments=11", "error: `segments=11`: there are no more segments than nodes, of which the graph has "
                               "10\n  hint: take segments=10, or fewer\n"),
    ("pull_forth.loop1.loop1.format=coo pull_back.loop1.loop1.format=blocks pull_back.loop1.loop1.segments=4",
     "error: `pull_back.loop1.loop1.segments=4` can't be honoured: it means nothing under format=blocks\n"
     "  hint: leave it out; `segments=4` alone applies wherever it is legal\n"),
])
def test_a_run_is_refused_segments_that_it_can_not_have(plan: str, said: str,
                                                        capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["run", str(PLACE / "pr_pull.irgl"), "--graph", "path:10", "--plan", plan]) == 2
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_loop_that_can_not_be_swept_is_told_to_have_no_segments(target: str) -> None:
    unit = driver.compile(PLACE / "pr.irgl", target=target, plan=Plan.parse("format=coo segments=4", target))
    assert "start_even.loop1.loop1: segments=4" in unit.applied
    (line,) = [line for line in unit.not_applicable if ": segments=4: " in line]
    assert line.startswith("push_residual.loop1.loop1: segments=4: the loop around it runs over a list")


@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_a_search_tries_segments_where_coo_is_legal(target: str) -> None:
    space = legal_space(driver.ready(PLACE / "pr.irgl").checked.program, target)
    legal = [c.place for c in space if c.option == "segments" and c.reason is None]
    assert legal == [c.place for c in space if c.option == "format" and "coo" in c.values]


# What is built

@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize(("said", "part"), [("2", 0), ("7", 64), ("96n", 0), ("1n", 32), ("100000n", 64)])
def test_edges_lie_by_segment_in_parts_and_as_in_rows_in_segments(said: str, part: int, bits: int) -> None:
    graph = load("rmat:8,seed=5")
    rows = ids(Rows(graph.row, graph.dst, part), bits)
    built = coo.build(rows, {"segments": said}, native(bits, bits))
    first, begin, near, far = built.arrays
    segments = built.numbers[1]
    nodes = int(said[:-1]) if said.endswith("n") else -(-rows.n // int(said))
    edge = np.arange(rows.m) if built.edge is None else built.edge
    place = np.searchsorted(first, near, "right") - 1  # the part
    assert np.array_equal(edge, np.lexsort((np.arange(rows.m), rows.cols // nodes,
                                            np.searchsorted(first, graph.sources(), "right") - 1)))
    assert np.array_equal(near, graph.sources()[edge])
    assert np.array_equal(far, rows.cols[edge])
    assert np.array_equal(begin, np.searchsorted(place * segments + far // nodes, np.arange(len(begin))))


def test_ids_up_to_the_last_of_31_bits_find_their_segment() -> None:
    top = 2**31 - 1
    far = np.array([0, 1, 6, 7, 8, 65535, 65536, top - 8, top - 7, top - 1], np.int32)
    find = native(32, 32)("segments", "irgl_count_segments")
    row, first = np.array([0, len(far)], np.int32), np.array([0, 1], np.int32)
    for nodes in (2**27, 2**27 - 1, 2**27 + 1, 2**31, 2**40, 10**9):
        segments = -(-top // nodes)
        begin = np.zeros(segments + 1, np.int32)
        find(1, segments, nodes, *(a.ctypes.data for a in (row, far, first, begin)))
        assert begin[1:].tolist() == np.bincount(far.astype(np.int64) // nodes, minlength=segments).tolist()


def test_segments_are_told_with_the_forms_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    def told(plan: str) -> int:
        assert exit_code(["run", "pr_pull", "--graph", "rmat:10", "--plan", plan, "--json"]) == 0
        (form,) = json.loads(capsys.readouterr().out)["forms"]
        return int(form["bytes"])

    rows = rows_of(run_program("pr_pull", load("rmat:10")).graph, "in")
    assert told("format=coo segments=100n") - told("format=coo") == 4 * 10 * (len(parts(rows, rows.n)) - 1)


# What is left to the machine

@pytest.mark.parametrize(("body", "touched"), [
    ("sum += (int)e.dst.p;", 4),
    ("if (e.dst.odd) { sum += (int)(e.dst.p + e.dst.q + e.dst.p); }", 13),
    ("e.dst.q += 1;", 8),
    ("sum += 1;", 0),
])
def test_what_edges_touch_of_their_far_ends_is_known(body: str, touched: int) -> None:
    unit = driver.compile("k.irgl", text=LOOP.format(body=body), plan=Plan.parse("format=coo segments=auto"))
    assert [f.touched for g in unit.graph_params for f in g.forms] == [touched]


@pytest.mark.parametrize(("touched", "part", "given", "said"), [
    (4, 0, 0, "32768n"), (13, 0, 0, "10082n"), (4, 256, 0, "7500000n"), (4, 256, 1 << 20, "131072n"), (0, 0, 0, "off"),
    (1 << 30, 0, 0, "1n")])
def test_a_segments_values_fill_half_of_the_cache(touched: int, part: int, given: int, said: str,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting.caches, "of_a_core", lambda: 1 << 18)
    need = FormNeed("in", "coo", (("segments", "auto"),), "", False, part, 0, touched)
    assert fitted(need, given).options == (("segments", said),)


def test_what_a_plan_says_of_segments_is_not_left_to_the_machine() -> None:
    need = FormNeed("in", "coo", (("segments", "3"),), "", False, 0, 0, 4)
    assert fitted(need) is need


# Answers

@pytest.mark.parametrize("program", ["pr_pull", "sssp_bf", "bfs_topo"])
def test_segments_change_no_answer(program: str) -> None:
    for k, (name, graph) in enumerate(GRAPHS.items()):
        said = ("48n", "1n", "auto")[k % 3]
        ran = run_program(program, graph, plan=f"format=coo segments={said} serial=off", threads=(1, 2, 4)[k % 3])
        assert ran.wrong() is None, name


@pytest.mark.parametrize("segments", ["off", "5", "100n"])
def test_sums_are_the_same_on_any_number_of_threads(segments: str) -> None:
    plan = f"format=coo segments={segments} serial=off grain=1"
    found = [run_program("pr_pull", load("rmat:11,seed=2"), plan=plan, threads=threads)["pagerank"]
             for threads in (1, 2, 4)]
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@pytest.mark.parametrize("row", [
    {"segments": "48n", "cc": "off", "outline": "all", "blocks": "2"},
    {"segments": "7n", "cc": "block", "outline": "off"},
    {"segments": "100n", "cc": "warp", "outline": "graph", "mode": "lockstep"}], ids=lambda row: row["segments"])
def test_segments_change_no_answer_on_gpus(row: dict[str, str]) -> None:
    plan = {"capacity": "0", "mode": "check", "seed": "1", "format": "coo", "block": "32", **row}
    runs = [(program, plan) for program in ("pr_pull", "sssp_bf")]
    assert all("irgl::swept_by_segments<" in simt.manifest_under(*run).text for run in runs)
    assert simt.complaints(runs, GRAPHS) == []


@pytest.mark.parametrize("row", [{"segments": "9n", "cc": "block"}, {"segments": "1n", "cc": "off"}],
                         ids=lambda row: row["segments"])
def test_an_edge_is_used_in_every_way_by_segments(row: dict[str, str]) -> None:
    plan = plan_of({"format": "coo", "block": "32", **row})
    for graph in (GRAPHS["self-loops"], GRAPHS["empty"], GRAPHS["middling"]):
        assert left_by(USES, plan, graph, "irgl::swept_by_segments<") == uses_of(graph)


# How blocks go along

SUMS = """graph Graph { node int p = 1; node long q = 0; }
Kernel add(Graph g) { ForAll (n In g.nodes) { long sum = 0; ForAll (e In n.edges) { sum += e.dst.p; } n.q = sum; } }
Program main(Graph g) { Invoke add(g); }"""


def barriers(graph: Graph, said: str) -> int:
    plan = f"format=coo segments={said} block=32 outline=off"
    return int(outcome(SUMS, plan, "simt", graph).stats["grid_barriers"])


def test_all_blocks_meet_before_each_segment() -> None:
    graph = GRAPHS["middling"]
    once = barriers(graph, "5") - barriers(graph, "4")
    assert once > 0
    assert barriers(graph, "4") == 4 * once
    assert [barriers(graph, said) for said in ("1", "65536n", "off")] == [0, 0, 0]


def test_a_kernel_that_waits_for_its_segments_is_no_node_of_a_cuda_graph() -> None:
    def compiled(plan: str) -> driver.Unit:
        return driver.compile(PLACE / "pr_pull.irgl", target="simt", plan=Plan.parse(plan, "simt"))

    refused = ("pr_pull.while1: outline=graph: 'pull_forth' has barriers of its own, which a kernel in a graph can't "
               "have")
    assert refused in compiled("format=coo segments=4 outline=graph").not_applicable
    assert refused not in compiled("format=coo outline=graph").not_applicable
    with pytest.raises(IrglError, match="has barriers of its own"):
        compiled("format=coo segments=4 pr_pull.while1.outline=graph")


def test_without_segments_the_code_is_that_of_coo() -> None:
    texts = {said: driver.compile(PLACE / "pr_pull.irgl", target="simt", plan=Plan.parse(f"format=coo{said}", "simt"))
             for said in ("", " segments=off", " segments=4")}
    assert texts[""].text == texts[" segments=off"].text
    assert "swept_by_segments" not in texts[""].text
    assert "swept_by_segments" in texts[" segments=4"].text
