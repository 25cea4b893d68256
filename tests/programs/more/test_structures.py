"""Matchings, colourings, components, widest paths and trusses: NetworkX agrees with the programs, and the verifiers
refuse planted mistakes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.places import SharedGraph
from support.programs import Ran, run_program
from support.verifying import GRAPHS, arcs, edges, multigraph, simple, tails, verifier

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load

#: Two triangles that share node 2, a tail from 4 over 5 to 6, and node 7 by itself; file ids are from 100 on.
ENDS = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (5, 6)]
TWO, ONE_WAY = edges(8, ENDS), arcs(8, ENDS, [5, 2, 1, 4, 6, 3, 9, 2])
TRIANGLES = [int(6 not in (u, v) and 5 not in (u, v)) for u, v in zip(tails(TWO), TWO.dst, strict=True)]
Claim = dict[str, Any]
#: By verifier: a graph, a right claim about it, and wrong changes of that with what is said of them.
TABLE: dict[str, tuple[Graph, Claim, dict[str, Claim]]] = {
    "maximal_matching": (TWO, {"mates": [1, 0, 3, 2, 5, 4, -1, -1], "pairs": 3}, {
        "node 100 has the partner 102, who hasn't it": {"mates": [2, -1, 3, 2, 5, 4, -1, -1]},
        "node 107 is its own partner": {"mates": [1, 0, 3, 2, 5, 4, -1, 7]},
        "nodes 100 and 103 are a pair, but not joined": {"mates": [3, 2, 1, 0, 5, 4, -1, -1]},
        "nodes 104 and 105 are joined and free: they could be a pair": {"mates": [1, 0, 3, 2, -1, -1, -1, -1]},
        "there are said to be 4 pairs, but there are 3": {"pairs": 4},
        "role mates holds 1 values, but the graph has 8 nodes": {"mates": [0]},
    }),
    "proper_colouring": (TWO, {"colours": [0, 1, 2, 0, 1, 0, 1, 0], "count": 3}, {
        "nodes 100 and 101 are joined and both have colour 0": {"colours": [0, 0, 2, 0, 1, 0, 1, 0]},
        "node 103 has colour -1, not one from 0 to 4, the most neighbours of a node":
            {"colours": [0, 1, 2, -1, 1, 0, 1, 0]},
        "node 107 has colour 5, not one from 0 to 4, the most neighbours of a node":
            {"colours": [0, 1, 2, 0, 1, 0, 1, 5]},
        "there are said to be 2 colours, but there are 3": {"count": 2},
    }),
    "strong_components": (ONE_WAY, {"labels": [1, 1, 1, 1, 1, 5, 6, 7], "count": 4}, {
        "node 100 is in the component of node 105, but not both reach each other":
            {"labels": [5, 1, 1, 1, 1, 5, 6, 7]},
        "nodes 103 and 101 reach each other, but have different components": {"labels": [1, 1, 1, 3, 3, 5, 6, 7]},
        "node 101 stands for node 100's component, but not for its own": {"labels": [1, 2, 2, 1, 1, 5, 6, 7]},
        "node 106 is in no component": {"labels": [1, 1, 1, 1, 1, 5, -1, 7]},
        "there are said to be 3 components, but there are 4": {"count": 3},
    }),
    "widest_paths": (ONE_WAY, {"source": 0, "widths": [2**31 - 1, 5, 2, 2, 2, 2, 2, 0], "reached": 7}, {
        "the source, node 100, has width 5, but nothing narrows it": {"widths": [5, 5, 2, 2, 2, 2, 2, 0]},
        "node 102 has width 1, but the arc from node 101 gives 2": {"widths": [2**31 - 1, 5, 1, 1, 1, 1, 1, 0]},
        "node 102 has width 3, but no path from the source is that wide":
            {"widths": [2**31 - 1, 5, 3, 3, 3, 3, 2, 0]},
        "node 107 has width 2, but no path from the source is that wide": {"widths": [2**31 - 1, 5, 2, 2, 2, 2, 2, 2]},
        "8 nodes are said to be reached, but there are 7": {"reached": 8},
    }),
    "truss_numbers": (TWO, {"trusses": [2 + t for t in TRIANGLES], "largest": 3}, {
        "the arc from node 100 to node 101 has trussness 2, but it is 3": {"trusses": [2] * 16},
        "the arc from node 104 to node 105 has trussness 3, but it is 2": {"trusses": [3] * 16},
        "the largest trussness is said to be 4, but it is 3": {"largest": 4},
        "role trusses holds 8 values, but the graph has 16 arcs": {"trusses": [3] * 8},
    }),
    "truss": (TWO, {"inside": TRIANGLES, "k": 3, "edges": 6, "nodes": 5}, {
        "the arc from node 100 to node 101 is said to be outside the 3-truss, but it is inside": {"inside": [0] * 16},
        "the arc from node 104 to node 105 is said to be inside the 3-truss, but it is outside": {"inside": [1] * 16},
        "the arc from node 100 to node 101 is said to be inside the 4-truss, but it is outside": {"k": 4},
        "the 3-truss is said to have 12 edges, but it has 6": {"edges": 12},
        "the 3-truss is said to have 6 nodes, but it has 5": {"nodes": 6},
    }),
}


def claim(right: Claim, **changes: Any) -> Claim:
    return {role: np.array(v, np.int32) if isinstance(v, list) else v for role, v in (right | changes).items()}


@pytest.mark.parametrize("name", TABLE)
def test_a_right_claim_is_accepted_and_a_planted_mistake_told(name: str) -> None:
    graph, right, wrong = TABLE[name]
    check = verifier(name).verify
    assert check(graph, claim(right), 0.0) is None
    assert {message: check(graph, claim(right, **changes), 0.0) for message, changes in wrong.items()} == {
        message: message for message in wrong}
    first, *_ = right
    assert check(graph, claim({r: v for r, v in right.items() if r != first}), 0.0) == f"role {first} is missing"
    assert check(graph, claim(right, nonsense=1), 0.0) == "role nonsense is unknown"


def _matching(found: Ran, graph: Graph) -> None:
    pairs = {(n, int(m)) for n, m in enumerate(found["mate"]) if m >= 0}
    assert nx.is_maximal_matching(simple(graph), {(u, v) for u, v in pairs if u < v})


def _colouring(found: Ran, graph: Graph) -> None:
    colours = found["own_colour"]
    assert all(colours[u] != colours[v] for u, v in simple(graph).edges())


def _components(found: Ran, graph: Graph) -> None:
    labels = found["its_component"]
    assert {frozenset(c) for c in nx.strongly_connected_components(multigraph(graph))} == {
        frozenset(np.flatnonzero(labels == x).tolist()) for x in set(labels.tolist())}


def _widest(found: Ran, graph: Graph) -> None:
    best = {0: 2**31 - 1} if graph.num_nodes else {}
    for _ in range(graph.num_nodes):
        for u, v, w in multigraph(graph).edges(data="weight"):
            best[v] = max(best.get(v, 0), min(best.get(u, 0), w))
    assert found["bottleneck"].tolist() == [best.get(n, 0) for n in range(graph.num_nodes)]


def _trusses(found: Ran, graph: Graph) -> None:
    plain, made = simple(graph), found.graph
    numbers = dict.fromkeys(map(frozenset, plain.edges()), 2)
    for k in range(3, graph.num_nodes + 1):
        numbers |= dict.fromkeys(map(frozenset, nx.k_truss(plain, k).edges()), k)
    ends = zip(made.sources().tolist(), made.dst.tolist(), strict=True)
    assert found["trussness"].tolist() == [numbers[frozenset(e)] for e in ends]


def _truss(found: Ran, graph: Graph) -> None:
    inside = nx.k_truss(simple(graph), 4)
    made = found.graph
    ends = zip(made.sources().tolist(), made.dst.tolist(), strict=True)
    assert found["in_truss"].tolist() == [inside.has_edge(*e) for e in ends]


def _goal(found: Ran, graph: Graph) -> None:
    """The goal is the default one, the first node; test_goals_of_roads_are_found has others."""
    assert found["distance"] == (0 if graph.num_nodes else 2**31 - 1)


def _paths(found: Ran, graph: Graph) -> None:
    lengths = nx.single_source_dijkstra_path_length(multigraph(graph), 0) if graph.num_nodes else {}
    assert found["path_length"].tolist() == [lengths.get(n, 2**31 - 1) for n in range(graph.num_nodes)]
    assert (found["reached"], found["unfit"]) == (len(lengths), False)
    if "levels" in found.result.scalars:
        assert found["levels"] == len(set(lengths.values()))


def _cores(found: Ran, graph: Graph) -> None:
    cores = nx.core_number(simple(graph))
    assert found["links_left"].tolist() == [cores[n] for n in range(graph.num_nodes)]
    assert found["shells"] == len(set(cores.values()))


def _cover(found: Ran, graph: Graph) -> None:
    plain, chosen = simple(graph), {n for n in range(graph.num_nodes) if found["is_taken"][n]}
    assert all(chosen & set(plain[n]) for n in plain if plain[n])
    apart = packing(plain)
    assert apart <= found["members"] == len(chosen) <= sum(d > 0 for _, d in plain.degree)
    assert found["uncovered"] == 0


def packing(graph: nx.Graph) -> int:
    """As many nodes of which no two have a neighbour in common: each cover has one set for each of them."""
    taken: set[int] = set()
    count = 0
    for n in sorted(graph, key=graph.degree):
        if graph[n] and not taken & set(graph[n]):
            taken |= set(graph[n])
            count += 1
    return count


ORACLES: dict[str, Callable[[Ran, Graph], None]] = {
    "ppsp": _goal, "ppsp_both": _goal, "sssp": _paths, "wbfs": _paths, "peeling": _cores, "setcover": _cover,
    "matching": _matching, "colouring": _colouring, "scc": _components, "widest": _widest, "ktruss": _trusses,
    "ktruss_k": _truss}


@pytest.mark.parametrize("name", ORACLES)
def test_the_program_finds_what_networkx_finds(name: str) -> None:
    for at, graph in GRAPHS.items():
        given = replace(graph, weight=None if graph.weight is None else graph.weight + 1)
        for threads in (1, 2):
            ran = run_program(name, given, threads=threads, plan="serial=0 grain=1" if threads == 2 else "")
            ORACLES[name](ran, given)
            assert ran.wrong() is None, at


@pytest.mark.parametrize(("name", "file", "scalar", "value"), [
    ("scc", "social/p2p-Gnutella31.txt.gz", "components", 48_438),  # published with the graph
    ("ktruss", "social/CA-GrQc.txt.gz", "largest", 44),  # one more than the largest core number: a clique of 44
])
def test_real_graphs_have_their_known_answers(
    shared_graph: SharedGraph, name: str, file: str, scalar: str, value: int
) -> None:
    ran = run_program(name, load(str(shared_graph(file))))
    assert ran[scalar] == value
    assert ran.wrong() is None


@pytest.mark.parametrize(("file", "greedy"), [
    ("social/email-Enron.txt.xz", 4237), ("social/web-NotreDame.txt.xz", 24966), ("road/USA-road-d.NY.gr.gz", 108045),
    ("mesh-graph/wave.graph.xz", 15570)])
def test_covers_are_nearly_those_of_greed(shared_graph: SharedGraph, file: str, greedy: int) -> None:
    """greedy: what the sequential algorithm chooses that takes, of sets of one size, the lowest number first."""
    ran = run_program("setcover", load(str(shared_graph(file))))
    assert ran["members"] <= 1.05 * greedy
    assert ran["uncovered"] == 0
    assert ran.wrong() is None


@pytest.mark.parametrize(("source", "goal", "distance"), [
    (1, 100000, 955712), (1, 264346, 495306), (100000, 264346, 961466), (1, 1000, 28939)])
@pytest.mark.parametrize("delta", [None, 1, 1 << 30])
def test_goals_of_roads_are_found(shared_graph: SharedGraph, source: int, goal: int, distance: int,
                                  delta: int | None) -> None:
    graph = load(str(shared_graph("road/USA-road-d.NY.gr.gz")),
                 coordinates=str(shared_graph("road/USA-road-d.NY.co.gz")))
    given = {"src": source, "goal": goal, **({} if delta is None else {"delta": delta})}
    ran, guided = run_program("ppsp", graph, **given), run_program("astar", graph, **given)
    both = run_program("ppsp_both", graph, **given)
    assert (ran["distance"], guided["distance"], both["distance"]) == (distance, distance, distance)
    assert (ran.wrong(), guided.wrong(), both.wrong()) == (None, None, None)
    assert guided["settled"] < ran["settled"] < graph.num_nodes
    one_bucket = delta == 1 << 30  # all that the first search has
    assert both["settled"] == ran["settled"] if one_bucket else both["settled"] < ran["settled"]
