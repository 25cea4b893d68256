"""shards: what is copied to edges' places ahead of a loop, and loops that have nothing to copy."""

from __future__ import annotations

import json
import re

import pytest
from support.awkward_graphs import awkward
from support.programs import PLACE, run_program
from support.running import outcome

from irgl import driver
from irgl.cli.main import exit_code
from irgl.plan import Plan
from irgl.rt.graphs.load import load
from irgl.space import legal_space

LOOP = """graph Graph {{ node int p = 0; node int q = 1; node double r = 2; node lock l; edge int w; }}
Kernel k(Graph g) {{ ForAll (n In g.nodes) {{ {loop} }} }}
Program main(weighted transpose Graph g) {{ Invoke k(g); }}"""
#: Loops that copy one thing or several, beside each other and again in each round.
ROUNDS = """graph Graph { node int p = 1; node int q = 0; node double r = 2; node bool odd = false; edge int w; }
int rounds = 0;
Kernel both(Graph g) {
  ForAll (n In g.nodes) {
    int sum = (int)n.id;
    ForAll (e In n.in_edges) { sum += e.src.p + (int)e.src.r; if (e.src.odd) { sum += e.w; } }
    n.q = sum % 100;
  }
  ForAll (n In g.nodes) { n.p = n.q; n.odd = n.q % 2 == 1; }
  ForAll (n In g.nodes) { int most = 0; ForAll (e In n.edges) { most max= e.dst.q; } n.r = 0.5 * most; }
}
Kernel last(Graph g) {
  ForAll (n In g.nodes) {
    double all = 0;
    ForAll (e In n.in_edges) { all += e.src.r; }
    ReduceAndReturn(all > 0);
  }
}
Program main(weighted transpose Graph g) {
  Iterate While Any last(g) { rounds += 1; if (rounds > 4) { break; } Invoke both(g); }
}"""
GRAPHS = ("empty", "one loop", "self-loops", "parallel arcs", "star", "star inwards", "disconnected", "grid", "dense",
          "middling")
NOTHING = "it reads no property of its edges' far ends that its loop leaves as it is"


def copies(loop: str) -> list[tuple[str, str]]:
    text = driver.compile("k.irgl", text=LOOP.format(loop=loop), plan=Plan.parse("format=shards")).text
    return re.findall(r"^ *(\w+)\* const copied_(\w+) = c\.copies\.of", text, re.M)


@pytest.mark.parametrize(("loop", "of"), [
    ("ForAll (e In n.in_edges) { n.p += e.src.q; }", [("int32_t", "q")]),
    ("ForAll (e In n.edges) { n.p += e.dst.q + (int)e.dst.r; }", [("int32_t", "q"), ("double", "r")]),
    ("ForAll (e In n.in_edges) { auto m = e.src; if (m.q > 0) { n.p += m.q; } }", [("int32_t", "q")]),
    ("ForAll (e In n.in_edges) { n.p += e.src.q + e.src.p; }", [("int32_t", "q")]),  # p may change meanwhile
    ("ForAll (e In n.in_edges) { n.p += e.src.q; n.r max= e.src.r; }", [("int32_t", "q")]),
])
def test_what_the_loop_leaves_as_it_is_is_copied(loop: str, of: list[tuple[str, str]]) -> None:
    assert copies(loop) == of


@pytest.mark.parametrize("loop", [
    "ForAll (e In n.in_edges) { n.p += 1; }",
    "ForAll (e In n.in_edges) { n.p += n.q; }",
    "ForAll (e In n.edges) { e.dst.p += 1; }",
    "ForAll (e In n.in_edges) { n.q min= e.src.q; }",
    "ForAll (e In n.in_edges) { n.p += e.dst.q; }",  # the near end
])
def test_a_loop_with_nothing_to_copy_says_so(loop: str) -> None:
    checked = driver.ready("k.irgl", LOOP.format(loop=loop)).checked
    found = next(c for c in legal_space(checked.program) if (c.place, c.option) == ("k.loop1.loop1", "format"))
    assert dict(found.refused)["shards"] == NOTHING


@pytest.mark.parametrize("program", ["pr_pull", "hits", "eccentricities"])
def test_copies_change_no_answer(program: str) -> None:
    for k, graph in enumerate(GRAPHS):
        ran = run_program(program, awkward()[graph], plan=f"format=shards tile={13 + k % 6}", threads=(1, 2, 4)[k % 3])
        assert ran.wrong() is None, graph


def test_a_second_loop_of_the_same_kind_uses_the_same_memory() -> None:
    text = driver.compile(PLACE / "pr_pull.irgl", plan=Plan.parse("format=shards")).text
    assert re.findall(r"c\.copies\.of<float>\((\d+),", text) == ["0", "0"]


def test_copies_are_told_with_the_forms_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    def told(plan: str) -> int:
        assert exit_code(["run", "pr_pull", "--graph", "rmat:10", "--plan", plan, "--json"]) == 0
        ran = json.loads(capsys.readouterr().out)
        return sum(f["bytes"] for f in ran["forms"])

    places, tile_lists = 4 * load("rmat:10").num_edges, 3 * 4
    assert told("format=shards") - told("format=blocks inside=column") == places + tile_lists


def test_copies_of_a_struct_are_as_large_as_it_is() -> None:
    text = """struct Three { long a; long b; long c; };
graph Graph { node long p = 0; node Three of = (Three){1, 2, 3}; }
Kernel k(Graph g) { ForAll (n In g.nodes) { ForAll (e In n.edges) { n.p += e.dst.of.b; } } }
Program main(Graph g) { Invoke k(g); }"""
    (graph,) = driver.compile("k.irgl", text=text, plan=Plan.parse("format=shards")).graph_params
    assert [f.copied for f in graph.forms] == [24]


@pytest.mark.parametrize("plan", ["outline=all block=32", "outline=off block=256 tile=13"])
def test_a_round_of_a_gpu_copies_what_the_last_one_left(plan: str) -> None:
    for graph in (awkward()[name] for name in ("empty", "self-loops", "middling")):
        wanted = outcome(ROUNDS, "format=csr", "cpu", graph).result
        for seed, mode in enumerate(("check", "lockstep")):
            found = outcome(ROUNDS, f"format=shards {plan}", "simt", graph, mode, seed).result
            assert found.scalars == wanted.scalars
            for word, values in wanted.properties.items():
                assert found.properties[word].array.tolist() == values.array.tolist(), word


def test_loops_of_a_gpu_that_copy_use_the_same_memory() -> None:
    text = driver.compile("k.irgl", text=ROUNDS, target="simt", plan=Plan.parse("format=shards", "simt")).text
    held = re.findall(r"(\w+)\* const (copied_\w+) = irgl::copies<\w+>\(g\.(_\w+), (\d+)\)", text)
    assert held == [("int32_t", "copied_p", "_in_shards_16", "0"), ("double", "copied_r", "_in_shards_16", "4"),
                    ("bool", "copied_odd", "_in_shards_16", "12"), ("int32_t", "copied_q", "_out_shards_16", "0"),
                    ("double", "copied_r", "_in_shards_16", "0")]
    room = re.findall(r"g\.(\w+)\.copies = irgl::Copies\(c, size_t\(g\.m\), (\d+)\);", text)
    assert room == [("_in_shards_16", "13"), ("_out_shards_16", "4")]


def test_a_kernel_that_copies_is_no_node_of_a_cuda_graph() -> None:
    def compiled(plan: str) -> driver.Unit:
        return driver.compile("k.irgl", text=ROUNDS, target="simt", plan=Plan.parse(plan, "simt"))

    refused = "main.iterate1: outline=graph: 'last' has barriers of its own, which a kernel in a graph can't have"
    assert refused in compiled("format=shards outline=graph").not_applicable
    assert refused not in compiled("format=blocks outline=graph").not_applicable
