"""np=even: the edges of a frontier in equal shares for all blocks, which cuts rows; and where that can't be."""

from __future__ import annotations

import pytest
from support import simt
from support.awkward_graphs import awkward, directed
from support.forms_on_gpus import left_by
from support.plans import plan_of
from support.programs import path_of

from irgl import driver
from irgl.plan import Plan
from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError
from irgl.space import legal_space

#: Sums into an iteration's own node and into others, a push, a condition, a variable that several blocks compute.
PULLS = """graph Graph { node long p = 0; node long q = 0; edge int w; }
long edges = 0;
Kernel pull(Graph g, list<node> out) {
  ForAll (n In g.nodes) {
    long here = n.id * 2;
    if (n.id % 3 != 1) {
      ForAll (e In n.in_edges) {
        n.p += e.w + here;
        e.src.q += 1;
        edges += 1;
        if (e.src.id > n.id) { out.push(e.src); }
      }
    }
  }
}
Program main(transpose Graph g) { list<node> out; Invoke pull(g, out); }
"""
HEAD = "graph Graph { node int p = 0; node lock held; edge int w; }\nlong count = 0;\n"
EDGES = "ForAll (e In n.edges) { e.dst.p += 1; }"


def left(graph: Graph) -> dict[str, list[int]]:
    """What PULLS leaves."""
    p, q = [0] * graph.num_nodes, [0] * graph.num_nodes
    for u in range(graph.num_nodes):
        for e in range(int(graph.row[u]), int(graph.row[u + 1])):
            n = int(graph.dst[e])
            if n % 3 != 1:
                p[n] += (1 if graph.weight is None else int(graph.weight[e])) + 2 * n
                q[u] += 1
    return {"p": p, "q": q}


def program(body: str, worklist: str = "") -> str:
    return f"{HEAD}Kernel k(Graph g){worklist} {{ {body} }}\nProgram main(transpose Graph g) {{ }}"


def over_nodes(body: str) -> str:
    return program(f"ForAll (n In g.nodes) {{ {body} }}")


@pytest.mark.parametrize("row", [
    {"cc": "off", "block": "32"}, {"cc": "warp", "block": "64", "format": "split"}, {"cc": "block", "block": "32"},
    {"cc": "block", "block": "96", "format": "delta"}], ids=lambda row: " ".join(row.values()))
def test_rows_that_blocks_share_are_summed_once(row: dict[str, str]) -> None:
    hub = directed(700, [*((k, 0) for k in range(1, 700)), *((0, k) for k in range(0, 700, 5)), (3, 3)])
    for graph in (hub, awkward()["dense"], awkward()["star inwards"], awkward()["empty"], awkward()["no arcs"]):
        assert left_by(PULLS, plan_of({"np": "even", **row}), graph, "irgl::for_each_even<") == left(graph)


@pytest.mark.parametrize("outline", ["off", "all"])
def test_frontiers_of_every_length_are_shared_out(outline: str) -> None:
    graphs = {name: awkward()[name] for name in ("empty", "one node", "star", "star inwards", "path", "middling")}
    graphs["hub"] = directed(900, [*((0, k) for k in range(1, 900)), *((5, k) for k in range(300))])
    runs = [("bfs", {"np": "even", "outline": outline, "cc": cc, "block": block, "mode": mode, "seed": str(seed),
                     "capacity": str(seed % 2), "format": form})
            for seed, (cc, block, mode, form) in enumerate([
                ("off", "32", "check", "csr"), ("warp", "64", "check", "csr"), ("block", "32", "lockstep", "csr"),
                ("block", "96", "check", "split"), ("off", "256", "check", "delta")])]
    assert all("irgl::for_each_even<" in simt.manifest_under(*run).text for run in runs)
    assert simt.complaints(runs, graphs) == []


@pytest.mark.parametrize(("text", "why"), [
    (over_nodes(f"{EDGES} n.p += 2;"), "its iteration goes on behind its edges, which other blocks may still run"),
    (over_nodes(f"if (n.id > 2) {{ {EDGES} }} else {{ count += 1; }}"),
     "its iteration goes on behind its edges, which other blocks may still run"),
    (over_nodes(f"n.p += 2; {EDGES}"), "its iteration does more ahead of its edges than to compute variables"),
    (over_nodes(f"if (n.p == 0) {{ {EDGES} }}"), "its iteration reads 'p' ahead of its edges, which the loop changes"),
    (over_nodes("long sum = 0; ForAll (e In n.edges) { sum += e.w; }"),
     "it combines 'sum' for its iteration, and blocks share nothing"),
    (over_nodes("ForAll (e In n.edges.skip(1)) { e.dst.p += 1; }"),
     "it does not run over all edges of its loop's node"),
    (over_nodes(f"{EDGES} {EDGES}"), "another ForAll stands beside it"),
    (over_nodes("ForAll (e In n.edges) { Atomic (e.dst.held) { e.dst.p += 1; } }"), "its loop takes locks"),
    (program("ForAll (n In WL.items) { ForAll (e In n.edges) { Respawn e.dst; } }", " WL list<node>"),
     "its items come back while it runs"),
    (program("ForAll (n In WL.items) { ForAll (e In n.edges) { WL.push(e.dst); } }", " WL list<node>"),
     "each of its edges appends, for which room is taken for all of a node's edges at once"),
])
def test_a_loop_that_can_not_be_shared_out_says_why(text: str, why: str) -> None:
    checked = driver.ready("k.irgl", text).checked
    assert {dict(c.refused).get("even") for c in legal_space(checked.program, "simt") if c.option == "np"} == {why}


def test_blocks_of_a_graph_s_kernels_can_not_wait_for_each_other() -> None:
    text = "advance_frontier.loop1.loop1.np=even bfs.iterate1.outline=graph"
    with pytest.raises(IrglError, match="'advance_frontier' has barriers of its own, which a kernel in a graph can't"):
        driver.compile(path_of("bfs"), target="simt", plan=Plan.parse(text, "simt"))
