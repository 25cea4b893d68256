"""What further programs must find, from NetworkX or in plain Python: by program, a function that asserts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

from support.programs import Ran
from support.verifying import simple, tails, weighted_arcs

Oracle = Callable[[Ran], None]
WORD, MASK = 1 << 32, (1 << 64) - 1


def _betweenness(ran: Ran) -> None:
    n, asked = ran.graph.num_nodes, ran.values["sources"]
    lightest: Any = nx.DiGraph()
    lightest.add_nodes_from(range(n))
    for u, v, w in sorted(weighted_arcs(ran.graph), key=lambda arc: -arc[2]):
        lightest.add_edge(u, v, weight=w)
    lightest.remove_edges_from(list(nx.selfloop_edges(lightest)))
    sources = [i * n // asked for i in range(asked)] if 0 < asked <= n else list(lightest)
    found = nx.betweenness_centrality_subset(lightest, sources, list(lightest), weight="weight")
    np.testing.assert_allclose(ran["betweenness"], [found[v] for v in range(n)], rtol=1e-9, atol=1e-9)


def _components(ran: Ran) -> None:
    parts = [*nx.connected_components(simple(ran.graph))]
    found = {v: min(part) for part in parts for v in part}
    assert ran["first_in_set"].tolist() == [found[v] for v in range(ran.graph.num_nodes)]
    assert (ran["components"], ran["joined"]) == (len(parts), ran.graph.num_nodes - len(parts))


def _clustering(ran: Ran) -> None:
    graph = simple(ran.graph)
    found = nx.clustering(graph)
    np.testing.assert_allclose(ran["local_clustering"], [found[v] for v in range(len(graph))], atol=1e-12)
    assert ran["in_triangles"].tolist() == [nx.triangles(graph, v) for v in range(len(graph))]
    assert abs(ran["average"] - (nx.average_clustering(graph) if graph else 0)) < 1e-12
    assert abs(ran["transitivity"] - nx.transitivity(graph)) < 1e-12


def _dominating(ran: Ran) -> None:
    graph = simple(ran.graph)
    around = {v: {v, *graph[v]} for v in graph}
    left, chosen = set(graph), set()
    while left:
        best = max(graph, key=lambda v: (len(around[v] & left), -_murmur(v)))
        chosen.add(best)
        left -= around[best]
    assert set(np.flatnonzero(ran["in_set"])) == chosen
    assert ran["members"] == len(chosen)
    assert nx.is_dominating_set(graph, chosen)


def _murmur(x: int) -> int:
    x = (x ^ x >> 16) * 0x85EBCA6B % WORD
    x = (x ^ x >> 13) * 0xC2B2AE35 % WORD
    return x ^ x >> 16


def _eccentricities(ran: Ran) -> None:
    parts = [simple(ran.graph).subgraph(part) for part in nx.connected_components(simple(ran.graph))]
    found = {v: x for part in parts for v, x in nx.eccentricity(part).items()}
    assert ran["greatest_distance"].tolist() == [found[v] for v in range(ran.graph.num_nodes)]
    assert ran["components"] == len(parts)
    assert (ran["diameter"], ran["radius"]) == (max(found.values(), default=0), min(found.values(), default=0))


def _hits(ran: Ran) -> None:
    """Both are the limit from even values, which NetworkX's are where the first singular value stands alone."""
    n = ran.graph.num_nodes
    matrix = np.zeros((n, n))
    np.add.at(matrix, (tails(ran.graph), ran.graph.dst), 1)
    if not matrix.any():
        assert not ran["hubness"].any() and not ran["authority"].any()
        return
    left, values, right = np.linalg.svd(matrix)
    first = values > values[0] * (1 - 1e-9)
    for name, vectors in (("hubness", left.T[first]), ("authority", right[first])):
        limit = vectors.T @ (vectors @ (np.ones(n) if name == "hubness" else matrix.T @ np.ones(n)))
        np.testing.assert_allclose(ran[name], limit / limit.sum(), atol=1e-5)
    if n > 1 and first.sum() == 1:
        hubs, authorities = nx.hits(nx.DiGraph(matrix), max_iter=1000)
        np.testing.assert_allclose(ran["hubness"], [hubs[v] for v in range(n)], atol=1e-5)
        np.testing.assert_allclose(ran["authority"], [authorities[v] for v in range(n)], atol=1e-5)


def _jaccard(ran: Ran) -> None:
    graph = simple(ran.graph)
    arcs = [(u, v) for u, v, _ in weighted_arcs(ran.graph)]
    assert len(arcs) == 2 * graph.number_of_edges()
    found = [p for _, _, p in nx.jaccard_coefficient(graph, arcs)]
    np.testing.assert_allclose(ran["similarity"], found, atol=1e-15)


def _labels(ran: Ran) -> None:
    graph = simple(ran.graph)
    labels, moved = list(range(len(graph))), 0
    for _ in range(ran.values["rounds"]):
        counts = {v: Counter(labels[u] for u in graph[v]) for v in graph}
        following = [min((-count, label) for label, count in counts[v].items())[1] if counts[v] else labels[v]
                     for v in range(len(graph))]
        moved = sum(a != b for a, b in zip(labels, following, strict=True))
        labels = following
        if moved == 0:
            break
    assert ran["community"].tolist() == labels
    assert (ran["moved"], ran["communities"]) == (moved, len(set(labels)))


def _walks(ran: Ran) -> None:
    n, row = ran.graph.num_nodes, ran.graph.row.tolist()
    walks, length, seed = (ran.values[name] for name in ("walks", "length", "walk_seed"))
    visits, ends = [0] * n, [-1] * n
    count = walks if walks > 0 and n else n
    for i in range(count):
        here = start = i * n // count if count <= n else i % n
        visits[here] += 1
        stream = _splitmix(seed * WORD + i) * WORD
        for step in range(length):
            degree = row[here + 1] - row[here]
            if degree == 0:
                break
            here = int(ran.graph.dst[row[here] + _splitmix(stream + step) * degree // WORD])
            visits[here] += 1
        if i < n:
            ends[start] = here
    assert ran["visits"].tolist() == visits
    assert ran["last_stop"].tolist() == ends


def _splitmix(x: int) -> int:
    x = x + 0x9E3779B97F4A7C15 & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return (x ^ x >> 31) % WORD


ORACLES: dict[str, Oracle] = {
    "bc_weighted": _betweenness, "cc_union": _components, "clustering": _clustering, "dominating_set": _dominating,
    "eccentricities": _eccentricities, "hits": _hits, "jaccard": _jaccard, "label_propagation": _labels,
    "random_walks": _walks,
}
