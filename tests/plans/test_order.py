"""The option order: which programs it is refused, how a graph is laid out, and that no answer changes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.agreement import interpreted
from support.awkward_graphs import awkward, directed, random_arcs
from support.choices import Seeded
from support.places import ROOT
from support.programs import ON_GRAPHS, PLACE, run_program
from support.random_programs import random_program

from irgl import driver
from irgl.analysis.values.numbers import why_numbered
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.device import run as run_emulated
from irgl.rt.call.reference import run_reference
from irgl.rt.call.renumber import Order
from irgl.rt.call.run import Options, run
from irgl.rt.graphs import order
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load as load_graph
from irgl.rt.graphs.loading import Loading, load, requirements
from irgl.rt.graphs.order import laid_out, place
from irgl.rt.graphs.orders.communities import by_community
from irgl.rt.graphs.orders.inside import inside
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.describe import manifest_of
from irgl.rt.results.difference import difference
from irgl.rt.results.result import Result
from irgl.source import IrglError
from irgl.space import Choice, legal_space
from irgl.standalone import standalone

Array = np.ndarray[Any, Any]
ORDERS = ("degree", "rcm", "community", "auto")
GRAPHS = awkward()
NUMBERED = ("bc", "cc", "cc_afforest", "mis", "mst", "tri")
HEAD = """struct Offer { int cost; node to; };
graph Graph { node int p = 0; node node up; node Offer best = (Offer){INF, NONE}; node lock held; edge int w; }
int sum = 0;
"""


def kernel(body: str, params: str = "Graph g", host: str = "", helpers: str = "") -> str:
    program = f"Program main(transpose Graph g) {{ {host} Invoke k(g); }}"
    return f"{HEAD}{helpers}\nKernel k({params}) {{ {body} }}\n{program}"


def over_nodes(body: str, **rest: str) -> str:
    return kernel(f"ForAll (n In g.nodes) {{ {body} }}", **rest)


def why(text: str) -> str | None:
    found = why_numbered(driver.ready("k.irgl", text).checked)
    return None if found is None else found.reason


@pytest.mark.parametrize(("text", "reason"), [
    (over_nodes("n.p = (int)n.id;"), "it asks for the number of a node"),
    (over_nodes("ForAll (e In n.edges) { sum += (int)e.id; }"), "it asks for the number of an edge"),
    (over_nodes("n.up = g.node(0);"), "it names a node by its number"),
    (over_nodes("n.up = g.edge(0).dst;"), "it names an edge by its number"),
    (over_nodes("n.p = n < n.up;"), "`<` compares numbers of nodes"),
    (over_nodes("n.p = NONE >= n.up;"), "`>=` compares numbers of nodes"),
    (over_nodes("ForAll (e In n.edges) { sum += e > n.edges[0]; }"), "`>` compares numbers of edges"),
    (over_nodes("n.up = max(n, n.up);"), "max compares numbers of nodes"),
    (over_nodes("n.up min= n;"), "min= compares numbers of nodes"),
    (over_nodes("node m = NONE; ForAll (e In n.edges) { m max= e.dst; } n.up = m;"), "max= compares numbers of nodes"),
    (over_nodes("ForAll (e In n.edges) { n.best min= (Offer){e.w, e.dst}; }"),
     "min= compares numbers of nodes or edges"),
    (over_nodes("sum += 1;", host="Graph h = oriented(g);"), "oriented() goes by number between nodes of one degree"),
    (over_nodes("sum += 1;", host="node n = NONE; print(n);"), "it prints numbers of nodes or edges"),
    (kernel("For (n In g.nodes) { sum = n.p; }"), "a sequential loop goes by number"),
    (kernel("For (e In g.edges) { sum = e.w; }"), "a sequential loop goes by number"),
    (over_nodes("sum += 1;", host="bitmap<node> l; For (n In l.items) { sum = n.p; }"),
     "a sequential loop goes by number"),
    (over_nodes("sum += g.edges[0].w;"), "it names an edge by its number"),
    (kernel("ForAll (e In g.edges.skip(2)) { sum += e.w; }"), "skip goes by number here"),
    (over_nodes("CBlock reads(n.p) writes(n.p) { g.p[n] = int(n); }"),
     "nobody can see what a CBlock does with numbers of nodes"),
    (over_nodes("n.p = lower(n, n.up);", helpers="int lower(node a, node b) { return a < b; }"),
     "`<` compares numbers of nodes"),
    ('import "array.irgl";\n' + over_nodes("sum += 1;"),
     "nobody can see what array's header does with the numbers of nodes"),
    (over_nodes("sum += 1;").replace("transpose", "sorted"), "it asks for neighbours that ascend by number"),
])
def test_a_program_whose_answer_depends_on_numbers_is_refused(text: str, reason: str) -> None:
    assert why(text) == reason


@pytest.mark.parametrize("text", [
    over_nodes("For (e In n.edges) { if (e.dst == n) { break; } sum += e.w; }"),
    over_nodes("For (e In n.in_edges.skip(1)) { sum += e.w; }"),
    over_nodes("n.up = n.edges[0].dst;"),
    over_nodes("n.p min= (int)n.degree; n.p = max(n.p, 3);"),
    over_nodes("n.best xchg= (Offer){1, n.up};"),
    over_nodes("if (n.up != NONE && n.p < n.up.p) { sum += 1; }"),
    over_nodes("sum += 1;", host="print(sum); for (long i = 0; i < g.num_nodes; i++) { sum += 1; }"),
    over_nodes("n.p = same(n, n.up);", helpers="bool same(node a, node b) { return a == b; }"),
])
def test_a_program_that_uses_nodes_as_places_may_be_laid_out(text: str) -> None:
    assert why(text) is None


@pytest.mark.parametrize("default", ["first", "g.node(g.num_nodes / 2)"])
def test_a_default_may_name_a_node_by_its_number(default: str) -> None:
    assert why(kernel("at.p = 1;", "Graph g, node at").replace("Graph g) {", f"Graph g, node at = {default}) {{", 1)
               .replace("k(g)", "k(g, at)")) is None


TWO = """graph Graph { node int p = 0; node node up; edge int w; } int sum = 0;
%s
Kernel mark(Graph g, node at) { at.p = 7; at.up = at.edges[0].dst; }
Kernel fill(Graph h) { ForAll (n In h.nodes) { n.up = n; ForAll (e In n.edges) { n.p += e.w; } } }
Program both(Graph g, Graph h, node at = first, node<h> there = h.node(1)) {
  Invoke mark(g, at); Invoke fill(h); there.p = -1;
}"""


@pytest.mark.parametrize(("helpers", "reason"), [
    ("", None),
    ("bool same(node a, node b) { return a == b; }", "nothing tells of which graph this node is"),
    ("bool same(Graph g, node a, node b) { return a == b; }", None),
    ("struct Way { int cost; node to; };", "a struct does not tell of which graph its nodes are"),
])
def test_with_several_graphs_every_node_must_be_known_to_be_one_of_a_certain_graph(
        helpers: str, reason: str | None) -> None:
    assert why(TWO % helpers) == reason


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_which_of_the_programs_are_refused(name: str) -> None:
    for target in ("cpu", "cuda", "simt"):
        choices = [c for c in legal_space(driver.ready(PLACE / f"{name}.irgl").checked.program, target)
                   if c.option == "order"]
        assert [(c.place, c.values) for c in choices] == [
            ("", ("given",) if name in NUMBERED else ("given", *ORDERS))]
        assert (choices[0].reason is not None) == (name in NUMBERED)


@pytest.mark.parametrize("word", ORDERS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_a_graph_laid_out_is_the_same_graph_with_other_numbers(graph: str, word: str) -> None:
    given = GRAPHS[graph]
    placed = place(given, word)
    assert sorted(placed.node.tolist()) == list(range(given.num_nodes))
    assert given.weight is not None and placed.graph.weight is not None
    for n in range(given.num_nodes):
        here = slice(*placed.graph.row[placed.place[n]:placed.place[n] + 2])
        there = slice(*given.row[n:n + 2])
        np.testing.assert_array_equal(placed.node[placed.graph.dst[here]], given.dst[there])
        np.testing.assert_array_equal(placed.graph.weight[here], given.weight[there])
        np.testing.assert_array_equal(placed.edge[here], np.arange(there.start, there.stop))


def test_nodes_of_many_edges_in_and_out_come_first() -> None:
    assert place(GRAPHS["star inwards"], "degree").node[0] == 299
    assert place(directed(4, [(0, 1), (2, 1), (2, 3), (2, 0)]), "degree").node.tolist() == [2, 0, 1, 3]


def test_neighbours_come_near_each_other() -> None:
    shuffled = np.random.default_rng(1).permutation(100)
    path = directed(100, [(int(shuffled[i]), int(shuffled[i + 1])) for i in range(99)])
    placed = place(path, "rcm").graph
    assert np.abs(placed.sources() - placed.dst).max() == 1


def cliques(count: int, size: int, seed: int) -> Graph:
    """Cliques in a ring, each joined to the next one by one arc; their nodes are dealt out at random."""
    at = np.random.default_rng(seed).permutation(count * size).reshape(count, size)
    arcs = [(int(a), int(b)) for clique in at for a in clique for b in clique if a != b]
    return directed(count * size, arcs + [(int(at[k][0]), int(at[(k + 1) % count][1])) for k in range(count)])


def apart(graph: Graph, node: Array, size: int) -> int:
    """How many arcs lie outside of clusters of `size` nodes in a row."""
    cluster = np.argsort(node) // size
    return int(np.count_nonzero(cluster[graph.sources()] != cluster[graph.dst]))


@pytest.mark.parametrize("size", [4, 8])
def test_communities_come_together(size: int) -> None:
    graph = cliques(12, size, 1)
    assert apart(graph, by_community(graph), size) == 12  # the ring


@pytest.mark.parametrize("bits", [2, 3])
def test_no_community_is_larger_than_a_cluster(bits: int) -> None:
    graph = cliques(32, 1 << bits, 2)
    node = by_community(graph, 1 << bits)
    assert apart(graph, node, 1 << bits) == 32


def test_the_same_graph_has_the_same_communities_each_time() -> None:
    graph = random_arcs(4, 300, 3000)
    np.testing.assert_array_equal(by_community(graph), by_community(replace(graph)))


def test_auto_is_the_order_with_most_edges_inside_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "CLUSTER", 8)
    graph = cliques(12, 8, 1)
    np.testing.assert_array_equal(place(graph, "auto").node, by_community(graph))


def test_auto_leaves_nodes_where_no_order_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "CLUSTER", 4)
    path = directed(40, [(i, i + 1) for i in range(39)])
    assert place(path, "auto").node.tolist() == list(range(40))


def test_auto_looks_for_no_order_where_all_nodes_fit_into_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "_ORDERS", {"auto": order._ORDERS["auto"], "degree": None})
    assert place(random_arcs(4, 30, 90), "auto").node.tolist() == list(range(30))


def test_communities_of_the_web_are_found() -> None:
    file = ROOT.parent / "shared" / "graphs" / "social" / "web-NotreDame.txt.xz"
    if not file.exists():
        pytest.skip("there is no ../shared/graphs/social/web-NotreDame.txt.xz")
    graph = load_graph(str(file))
    assert inside(graph.sources(), graph.dst, 16) < 0.72
    assert inside(graph.sources(), graph.dst, 16, place(graph, "community").place) > 0.95


@pytest.mark.parametrize("graph", ["parallel arcs", "self-loops", "middling"])
@pytest.mark.parametrize("undirected", [False, True])
def test_in_edges_keep_their_order(graph: str, undirected: bool) -> None:
    manifest = manifest_of(driver.compile("k.irgl", text=over_nodes("For (e In n.in_edges) { sum += e.w; }")), "")
    need = replace(requirements(manifest.graphs[0]), directed=False if undirected else None)
    given = prepare(GRAPHS[graph], need)
    placed = place(given, "degree", manifest.graphs[0])
    mine, theirs = placed.graph.transpose(), given.transpose()
    for n in range(given.num_nodes):
        here = slice(*mine.in_row[placed.place[n]:placed.place[n] + 2])
        there = slice(*theirs.in_row[n:n + 2])
        np.testing.assert_array_equal(placed.node[mine.in_src[here]], theirs.in_src[there])
        np.testing.assert_array_equal(placed.edge[mine.in_edge[here]], theirs.in_edge[there])


def test_a_graph_is_laid_out_once_and_a_copy_of_it_anew() -> None:
    given = random_arcs(4, 30, 90)
    first = place(given, "degree")
    assert place(given, "degree") is first
    assert replace(given, directed=True).orders == {}


@pytest.mark.parametrize("word", ORDERS)
@pytest.mark.parametrize("kind", ["uniform:scale=12,degree=8", "rmat:12"])
def test_a_graph_of_the_cache_is_laid_out_once_for_all_runs(
        kind: str, word: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IRGL_CACHE_DIR", str(tmp_path))
    manifest = manifest_of(driver.compile("k.irgl", text=over_nodes("For (e In n.in_edges) { sum += e.w; }")), "")
    need = manifest.graphs[0]
    first = place(load(kind, need, Loading()), word, need)
    monkeypatch.setattr(order, "laid_out", None)
    second = place(load(kind, need, Loading()), word, need)
    for name in ("row", "dst", "weight"):
        np.testing.assert_array_equal(getattr(second.graph, name), getattr(first.graph, name))
    for mine, theirs in zip(second.graph.transpose(), first.graph.transpose(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    for name in ("node", "place", "edge"):
        np.testing.assert_array_equal(getattr(second, name), getattr(first, name))


def test_a_graph_of_too_many_edges_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "MOST_EDGES", 90)
    with pytest.raises(IrglError) as e:
        place(random_arcs(4, 30, 90), "rcm")
    assert str(e.value) == ("error: order=rcm takes graphs of fewer than 2^30 edges\n"
                            "  hint: use order=degree, or order=given")


@pytest.mark.parametrize("word", ORDERS)
@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("name", [n for n in ON_GRAPHS if n not in NUMBERED])
def test_the_verifier_accepts_the_answer(name: str, graph: str, word: str) -> None:
    ran = run_program(name, GRAPHS[graph], plan=f"order={word}")
    assert ran.graph.num_nodes == 0 or list(ran.graph.orders) == [word]
    assert ran.wrong() is None


@pytest.mark.parametrize("other", ["direction=pull", "direction=hybrid", "frontier=bitmap", "prefetch=8"])
def test_it_goes_together_with_what_else_a_plan_changes(other: str) -> None:
    for name in ("bfs", "sssp_bf", "pr_pull"):
        ran = run_program(name, GRAPHS["middling"], plan=f"order=degree {other}")
        assert list(ran.graph.orders) == ["degree"]
        assert ran.wrong() is None


def test_a_refused_program_runs_on_the_graph_as_it_is() -> None:
    ran = run_program("cc", GRAPHS["middling"], plan="order=degree")
    assert ran.graph.orders == {}
    assert "the program: order=degree: min compares numbers of nodes (line 32)" in ran.manifest.not_applicable
    assert ran.wrong() is None


ALL = """struct Seen { node from; edge by; };
graph Graph {
  node node next; node edge last; node Seen seen = (Seen){NONE, NONE}; node int heavy = 0;
  node int mark = INF; node bool lone = false;
  edge int w; edge edge twin = NONE; edge node end = NONE; edge int twice = 0;
}
long arcs = 0; int at_start = 0;
Kernel k(Graph g) {
  ForAll (n In g.nodes) {
    if (n.degree > 0) { n.next = n.edges[0].dst; } else { n.lone = true; }
    For (e In n.in_edges) {
      n.last = e;
      n.seen = (Seen){e.src, e};
      n.heavy = 3 * n.heavy + e.w;
    }
    ForAll (e In n.edges) { e.twice = 2 * e.w; e.end = e.dst; e.twin = n.edges[n.degree - 1]; arcs += 1; }
  }
}
Program main(transpose Graph g, node src = first) { Invoke k(g); src.mark = 3; at_start = (int)src.degree; }"""


def result_of(text: str, graphs: dict[str, Graph], plan: str, target: str = "cpu", **given: int) -> Result:
    chosen = Plan.parse(plan, target)
    manifest = manifest_of(driver.compile("k.irgl", text=text, plan=chosen, target=target), plan)
    prepared = {g.name: prepare(graphs[g.name], requirements(g)) for g in manifest.graphs}
    runner: Any = run if target == "cpu" else run_emulated
    found: Result = runner(manifest, prepared, bind(manifest, prepared, given), chosen, Options(threads=2)).result
    return found


def same(found: Result, expected: Result) -> None:
    assert found.scalars == expected.scalars
    assert list(found.properties) == list(expected.properties)
    for name in expected.properties:
        np.testing.assert_array_equal(found.array(name), expected.array(name), name)


@pytest.mark.parametrize("word", ORDERS)
@pytest.mark.parametrize("graph", ["empty", "one loop", "parallel arcs", "ids with gaps", "middling"])
def test_nodes_and_edges_in_properties_and_structs_are_those_of_the_given_graph(graph: str, word: str) -> None:
    graphs = {"g": GRAPHS[graph]}
    same(result_of(ALL, graphs, f"order={word}"), result_of(ALL, graphs, "order=given"))


@pytest.mark.parametrize("batch", range(4))
def test_numbers_do_not_reach_the_answer_of_random_programs_that_may_be_laid_out(
        batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0
    for seed in range(50 * batch, 50 * batch + 50):
        program = random_program(Seeded(seed))
        manifest = manifest_of(driver.compile("p.irgl", text=program.text), "")
        if manifest.numbered or interpreted(program) is None:
            continue
        given = program.graph
        graphs = {"g": Graph(given.row.astype(np.int32), given.dst.astype(np.int32), given.weight)}
        values = bind(manifest, graphs, program.params)
        shuffled = np.random.default_rng(seed).permutation(graphs["g"].num_nodes)
        monkeypatch.setattr(order, "_ORDERS", {"degree": lambda _, nodes=shuffled: nodes})
        laid = Order(manifest, graphs, values, Plan.parse("order=degree"))
        expected, found = (run_reference(manifest, g, v, Options(), text=program.text).result
                           for g, v in ((graphs, values), (laid.graphs, laid.values)))
        assert difference(replace(laid.back(found), graphs=graphs), expected, 0.0) is None, program.text
        tried += 1
    assert tried > 2


def test_the_emulator_is_given_graphs_laid_out_too() -> None:
    graphs = {"g": GRAPHS["parallel arcs"]}
    same(result_of(ALL, graphs, "order=degree", "simt", src=2), result_of(ALL, graphs, "default", src=2))


@pytest.mark.parametrize("word", ORDERS)
def test_each_of_several_graphs_is_laid_out_for_itself(word: str) -> None:
    graphs = {"g": random_arcs(6, 40, 200), "h": GRAPHS["ids with gaps"]}
    same(result_of(TWO % "", graphs, f"order={word}", at=17), result_of(TWO % "", graphs, "default", at=17))


def test_the_generated_text_is_the_same_for_all_orders() -> None:
    plans = [Plan.parse(f"order={word}") for word in ("given", *ORDERS)]
    assert len({driver.compile(PLACE / "bfs.irgl", plan=plan).text for plan in plans}) == 1


def test_a_stand_alone_program_refuses_it() -> None:
    plan = Plan.parse("order=degree")
    with pytest.raises(IrglError) as e:
        standalone(driver.compile(PLACE / "bfs.irgl", plan=plan), plan)
    assert str(e.value) == ("error: a stand-alone program takes its graph as it lies in the file: it can't honour "
                            "`order=degree`\n  hint: leave it out, or let `irglc run` lay the graph out")


def irglc(*words: object) -> str:
    return subprocess.run([sys.executable, "-m", "irgl", *map(str, words)], capture_output=True, text=True,
                          check=True, timeout=120).stdout


@pytest.mark.parametrize(("plan", "told"), [("default", False), ("order=degree", True)])
def test_the_time_that_it_takes_is_told_apart(tmp_path: Path, plan: str, told: bool) -> None:
    file = tmp_path / "g.el"
    file.write_text("0 1\n1 2\n2 0\n2 3\n")
    done = irglc("run", PLACE / "bfs.irgl", "--graph", file, "--plan", plan, "--json")
    assert ("order_ms" in json.loads(done)) == told


def test_explain_tells_of_it() -> None:
    done = irglc("explain", PLACE / "cc.irgl", "--target", "cuda", "--plan", "order=rcm")
    assert "  the program: order=rcm: min compares numbers of nodes (line 32)" in done.splitlines()


def test_the_interpreter_takes_it_as_no_choice() -> None:
    choices = legal_space(driver.ready(PLACE / "bfs.irgl").checked.program, "ref")
    assert Choice("", "order", "the reference interpreter runs one item after the other",
                  ("given", *ORDERS)) in choices


def test_laying_out_by_hand_takes_any_permutation() -> None:
    placed = laid_out(directed(3, [(0, 1), (1, 2), (0, 2)]), np.array([2, 0, 1]))
    assert placed.graph.row.tolist() == [0, 0, 2, 3]
    assert placed.graph.dst.tolist() == [2, 0, 0]
    assert placed.place.tolist() == [1, 2, 0]
