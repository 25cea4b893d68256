"""Every possible claim over a few tiny graphs: exactly those that brute force finds right are accepted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.verifying import arcs, edges, multigraph, simple, verifier, weighted_arcs

from irgl.rt.graphs.graph import Graph

TINY = {
    "diamond": arcs(4, [(0, 1), (0, 2), (1, 3), (2, 3)], [1, 0, 0, 1]),
    "zero cycles": arcs(4, [(0, 1), (1, 2), (2, 1), (3, 3), (3, 1)], [1, 0, 0, 0, 0]),
    "triangle and pendant": edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)], [1, 1, 0, 2]),
    "parallel and loop": arcs(3, [(0, 1), (0, 1), (1, 0), (1, 1), (2, 0)], [2, 1, 1, 0, 1]),
    "two pairs": edges(4, [(0, 1), (2, 3)], [1, 0]),
}
FAR = 9  # stands for "not reached"


def accepted(name: str, graph: Graph, role: str, values: Iterator[Any], **others: Any) -> set[tuple[int, ...]]:
    verify = verifier(name).verify
    return {tuple(value) for value in values if verify(graph, others | {role: np.array(value)}, 0.0) is None}


def all_values(graph: Graph, *values: int) -> Iterator[Any]:
    return product(values, repeat=graph.num_nodes)


@pytest.mark.parametrize("graph", TINY.values(), ids=TINY)
def test_only_the_right_hops_are_accepted(graph: Graph) -> None:
    hops = nx.single_source_shortest_path_length(multigraph(graph), 0)
    right = tuple(hops.get(v, FAR) for v in range(graph.num_nodes))
    claims = all_values(graph, 0, 1, 2, 3, FAR)
    assert accepted("shortest_hops", graph, "hops", claims, source=0, unreached=FAR) == {right}


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@pytest.mark.parametrize("graph", TINY.values(), ids=TINY)
def test_only_the_right_distances_are_accepted(graph: Graph, kind: Any) -> None:
    dist = nx.single_source_dijkstra_path_length(multigraph(graph), 0)
    right = tuple(dist.get(v, FAR) for v in range(graph.num_nodes))
    claims = (np.array(claim, kind) for claim in all_values(graph, -1, 0, 1, 2, FAR))
    assert accepted("shortest_paths", graph, "distances", claims, source=0, unreached=FAR) == {right}


@pytest.mark.parametrize("graph", TINY.values(), ids=TINY)
def test_only_trees_of_least_hops_are_accepted(graph: Graph) -> None:
    n, hops = graph.num_nodes, nx.single_source_shortest_path_length(multigraph(graph), 0)
    ends = set(multigraph(graph).edges())

    def right(parents: tuple[int, ...]) -> bool:
        def fits(v: int, up: int) -> bool:
            if v == 0 or v not in hops:
                return up in (-1, v)
            return (up, v) in ends and up in hops and hops[up] + 1 == hops[v]

        return all(fits(v, up) for v, up in enumerate(parents))

    levels = np.array([hops.get(v, FAR) for v in range(n)])
    claims = list(all_values(graph, *range(-1, n)))
    found = accepted("shortest_hops", graph, "parents", iter(claims), source=0, hops=levels, unreached=FAR)
    assert found == {claim for claim in claims if right(claim)}


@pytest.mark.parametrize("graph", TINY.values(), ids=TINY)
def test_only_trees_of_shortest_paths_are_accepted(graph: Graph) -> None:
    n, dist = graph.num_nodes, nx.single_source_dijkstra_path_length(multigraph(graph), 0)
    loads = weighted_arcs(graph)
    tight = {(u, v) for u, v, w in loads if u in dist and dist[u] + w == dist[v]}

    def right(parents: tuple[int, ...]) -> bool:
        inner = [v for v in dist if v != 0]
        if any(parents[v] not in (-1, v) for v in range(n) if v not in inner):
            return False
        tree = nx.DiGraph((parents[v], v) for v in inner)
        tree.add_node(0)
        return all((parents[v], v) in tight for v in inner) and nx.descendants(tree, 0) == set(inner)

    levels = np.array([dist.get(v, FAR) for v in range(n)])
    claims = list(all_values(graph, *range(-1, n)))
    found = accepted("shortest_paths", graph, "parents", iter(claims), source=0, distances=levels, unreached=FAR)
    assert found == {claim for claim in claims if right(claim)}


@pytest.mark.parametrize("graph", TINY.values(), ids=TINY)
def test_only_labels_of_components_are_accepted(graph: Graph) -> None:
    part = {v: nodes for nodes in nx.weakly_connected_components(multigraph(graph)) for v in nodes}

    def right(labels: tuple[int, ...]) -> bool:
        return all(label in part[v] and all(labels[u] == label for u in part[v]) for v, label in enumerate(labels))

    claims = list(all_values(graph, *range(-1, graph.num_nodes + 1)))
    found = accepted("connected_components", graph, "labels", iter(claims))
    assert found == {claim for claim in claims if right(claim)}


@pytest.mark.parametrize("graph", TINY.values(), ids=TINY)
def test_only_maximal_independent_sets_are_accepted(graph: Graph) -> None:
    other = simple(graph)

    def independent(nodes: set[int]) -> Any:
        return other.subgraph(nodes).number_of_edges() == 0

    def right(members: tuple[int, ...]) -> Any:
        nodes = {v for v, inside in enumerate(members) if inside}
        return independent(nodes) and not any(independent(nodes | {v}) for v in set(other) - nodes)

    claims = list(all_values(graph, 0, 1))
    assert accepted("independent_set", graph, "members", iter(claims)) == {claim for claim in claims if right(claim)}


@pytest.mark.parametrize("graph", TINY.values(), ids=TINY)
def test_only_the_right_core_numbers_are_accepted(graph: Graph) -> None:
    numbers = nx.core_number(simple(graph))
    right = tuple(numbers[v] for v in range(graph.num_nodes))
    assert accepted("core_numbers", graph, "cores", all_values(graph, 0, 1, 2, 3)) == {right}


@pytest.mark.parametrize("graph", TINY.values(), ids=TINY)
def test_only_minimum_spanning_forests_are_accepted(graph: Graph) -> None:
    loads = weighted_arcs(graph)
    whole: Any = nx.MultiGraph()
    whole.add_nodes_from(range(graph.num_nodes))
    whole.add_weighted_edges_from(loads)
    least = nx.minimum_spanning_tree(whole).size(weight="weight")
    pieces = nx.number_connected_components(whole)

    def right(chosen: tuple[int, ...]) -> bool:
        picked = {loads[arc] for arc, inside in enumerate(chosen) if inside}
        if len(picked) < sum(chosen):
            return False
        once = [(u, v, w) for u, v, w in picked if u <= v or (v, u, w) not in picked]
        forest: Any = nx.MultiGraph()
        forest.add_nodes_from(range(graph.num_nodes))
        forest.add_weighted_edges_from(once)
        small = len(once) == graph.num_nodes - pieces and sum(w for _, _, w in once) == least
        return small and nx.number_connected_components(forest) == pieces

    claims = list(product((0, 1), repeat=graph.num_edges))
    assert accepted("spanning_forest", graph, "chosen", iter(claims)) == {claim for claim in claims if right(claim)}
