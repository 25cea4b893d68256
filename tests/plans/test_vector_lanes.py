"""vec=lanes: the values of vectors side by side in lanes of a warp: who may, what is saved, and no answer changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from support.awkward_graphs import random_arcs
from support.programs import path_of

import irgl
from irgl import driver
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, widths
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.program import open_program
from irgl.source import IrglError

HEAD = """
import "array.irgl";
const int K = 5;
graph Graph { node float h[K] = 1; node float out[K] = 0; node float kept[K] = 2; node int mark = 0;
  node double norm = 0; node lock own; edge float w; }
float last = 0;
float twice(float x) { return 2 * x; }
int marked(Graph g, node n) { racy n.mark = 1; return 1; }
int seen(Graph g, node n) { return relaxed n.mark; }
"""
PROGRAM = """
Kernel k(Graph g, list<node> found, array<int> a) { ForAll (n In g.nodes) { BODY } }
Program main(Graph g) { list<node> found; array<int> a; a.resize(g.num_nodes); Invoke k(g, found, a); }
"""
GATHER = "float sum[K] = 0; ForAll (e In n.edges) { sum += e.dst.h * e.w; } n.out = sum;"


def text(body: str, plan: str = "vec=lanes") -> tuple[str, str]:
    """The CUDA code of a kernel, and why its loop has no lanes; '' where it has."""
    unit = driver.compile("lanes.irgl", target="cuda", plan=Plan.parse(plan, "cuda"),
                          text=HEAD + PROGRAM.replace("BODY", body))
    told = [line.partition(": ")[2] for line in unit.not_applicable if ": vec=lanes" in line or ".vec=lanes" in line]
    return unit.text, "".join(line.partition(": ")[2] or line for line in told)


REFUSED = [
    ("n.mark = 1;", ""),
    ("n.h[0] = 1;", "it has no loop over a vector's values"),
    (GATHER + " Atomic (n.own) { n.mark = 1; }", "it takes a lock"),
    (GATHER + " found.push(n);", "it asks or fills a list, a set or an object"),
    (GATHER + " n.norm = marked(g, n);", "'marked' changes something, which it calls"),
    (GATHER + " if ((n.mark += 1).changed) { n.norm = 1; }", "it asks what an update has changed"),
    (GATHER + " if (cas(n.mark, 0, 1)) { n.norm = 1; }", "it calls cas, which one thread does"),
    (GATHER.replace("n.out", "sum[1] = 0; n.out"), "it changes single values of a vector"),
    (GATHER + " n.norm = 1; n.mark = (int)n.norm;", "it reads 'norm', which another of its lanes has stored"),
    (GATHER + " n.norm = n.out[2];", "it reads 'out', which another of its lanes has stored"),
    ("For (k In range(K)) { n.out[k] += n.out[0]; }", "it reads 'out', which another of its lanes has stored"),
    (GATHER + " For (k In range(K)) { n.kept[k] = n.out[K - 1 - k]; }",
     "it reads 'out', which another of its lanes has stored"),
    (GATHER + " a[n.id] = 3; n.norm = a[n.id];", "it reads an element of 'a', which another of its lanes has stored"),
    (GATHER + " ForAll (e In n.edges) { e.dst.mark += 1; } n.norm = seen(g, n);",
     "it calls 'seen', which reads 'mark'"),
    (GATHER + " n.out[1] *= 2;", "it stores 'out' value by value, and single values besides"),
    (GATHER + " ForAll (e In n.edges) { e.dst.mark += 1; } if (relaxed n.mark > 1) { n.norm = 1; }",
     "it reads what others change at the same time, which its lanes could see differently"),
]


@pytest.mark.parametrize(("body", "reason"), REFUSED, ids=[r or b for b, r in REFUSED])
def test_a_loop_whose_lanes_could_not_go_together_stays_with_threads_and_says_why(body: str, reason: str) -> None:
    written, why = text(body)
    assert why == reason
    assert "for_each_row" not in written


TAKEN = [
    GATHER,
    GATHER + " n.norm = dot(n.out, n.h) + sum(n.kept);",
    GATHER + " if (n.degree > 2) { n.mark = (int)n.degree; last max= sum(n.out); }",
    "ForAll (e In n.edges) { e.dst.out += n.h; }",
    "float sum[K] = 0; For (c In range(K)) { sum += n.h * n.h[c]; } n.out = sum;",
    "float sum[K] = 0; ForAll (e In n.edges) { sum += e.dst.h; } float all[K]; For (c In range(K)) { all += sum[c]; } "
    "n.out = all;",
    GATHER + " For (k In range(K)) { n.kept[k] = n.out[k]; } a[n.id] = 3;",
    GATHER + " int count = 1; bool heavy = true; ForAll (e In n.edges) { count += 1; heavy &= e.w > 0.1f; "
    "n.norm += e.dst.h[1]; ForAll (f In e.dst.edges) { count += 1; } } n.mark = heavy ? count : -count;",
    "n.norm = n.h[0]; n.out = n.h; ForAll (e In n.edges) { n.norm += e.w; n.out += e.dst.h; } n.norm += 1;",
    "float all = sum(n.h); For (k In range(K)) { n.kept[k] = n.h[k] + all; } n.norm = sum(n.kept);",
    "float low[K] = INF; ForAll (e In n.edges) { low min= e.dst.h; } For (k In range(K)) { n.out[k] = twice(low[k]); }",
]
MATRIX = sp.random_array((70, 70), density=0.08, rng=np.random.default_rng(3), format="csr", dtype=np.float32)


@pytest.mark.parametrize("body", TAKEN)
@pytest.mark.parametrize("k", [2, 5, 16, 37])
def test_lanes_change_no_answer(body: str, k: int) -> None:
    assert "for_each_row" in text(body)[0]
    program = HEAD.replace("float h[K] = 1", "float h[K] = 0.5") + PROGRAM.replace("BODY", "n.h = (float)(n.id + 1);")
    program = program.replace("Kernel k(", "Kernel begin(").replace("Invoke k(g, found, a);", (
        "Invoke begin(g, found, a); Invoke k(g, found, a);"))
    program += f"\nKernel k(Graph g, list<node> found, array<int> a) {{ ForAll (n In g.nodes) {{ {body} }} }}"
    runs = [("ref", None), ("simt", "vec=lanes"), ("simt", "vec=lanes block=32 outline=off"),
            ("simt", "vec=warp block=64")]
    found: list[Any] = [irgl.compile(f"lanes.irgl:K={k}", text=program, target=target, plan=plan)(MATRIX)
                        for target, plan in runs]
    for one in found[1:]:
        for name in ("out", "norm", "mark", "last"):
            np.testing.assert_allclose(getattr(one, name), getattr(found[0], name), rtol=1e-5, err_msg=name)


def test_a_warp_takes_as_many_edges_at_once_as_it_has_room_for_vectors() -> None:
    """Of 5 values, which have 8 lanes; one of 37 leaves no room for a second."""
    written = text(GATHER, "vec=warp")[0]
    assert "irgl::for_each_row<32>" in written and "irgl::dealt<8>(irgl::edges(g.out(), n))" in written
    assert "irgl::dealt" not in text(GATHER, "vec=lanes")[0]
    long = driver.compile("lanes.irgl:K=37", target="cuda", plan=Plan.parse("vec=warp", "cuda"),
                          text=HEAD + PROGRAM.replace("BODY", GATHER)).text
    assert "irgl::for_each_row<32>" in long and "irgl::dealt" not in long


def test_what_one_group_of_a_warp_stores_is_there_for_the_others() -> None:
    written = text("n.kept = 2 * n.h; n.norm = sum(n.kept);", "vec=warp")[0]
    before, stored, behind = written.partition("g.kept[")
    assert before.rstrip().endswith("if (irgl::in_first<8>()) {") and "__syncwarp();" in before and stored
    assert behind.index("__syncwarp();") < behind.index("g.kept[")


def test_a_plan_that_wants_lanes_where_none_can_be_is_refused_with_the_reason() -> None:
    with pytest.raises(IrglError, match="can't be honoured: it takes a lock"):
        text(REFUSED[2][0], "k.loop1.vec=lanes")


def test_a_scheduler_at_its_own_place_goes_before_lanes() -> None:
    written, why = text(TAKEN[3], "k.loop1.loop1.np=fg")
    assert "irgl::FG" in written
    assert why == "the plan has a scheduler run its edges"


def test_lanes_go_before_a_scheduler_for_all_loops() -> None:
    assert "for_each_row" in text(TAKEN[3], "np=fg")[0]


def test_a_plan_that_wants_both_at_their_own_places_is_refused() -> None:
    with pytest.raises(IrglError, match="can't be honoured: the plan has a scheduler run its edges"):
        text(TAKEN[3], "k.loop1.loop1.np=fg k.loop1.vec=lanes")


def test_rows_of_features_are_read_in_whole_sectors() -> None:
    """Two of features for each edge, and one for who is at its end; a thread by itself reads one for each value."""
    counts = {}
    for vec in ("lanes", "warp", "thread"):
        plan = Plan.parse(f"vec={vec} outline=off", "simt")
        manifest = open_program(path_of("mean_aggregate"), plan)
        graphs = {"g": prepare(random_arcs(4, 70, 600), requirements(manifest.graphs[0]))}
        executable = device.build(manifest, widths(graphs.values()), True)
        counts[vec] = device.run_built(executable, 0.0, manifest, graphs, bind(manifest, graphs, {}), plan, Options(),
                                       mode="lockstep").stats["transactions"]
    assert max(counts["lanes"], counts["warp"]) <= 3 * 600 + 16 * 70
    assert counts["thread"] > 3 * counts["lanes"]
