"""`shortest_path` and `shortest_path_length`, which choose among the others; and Bellman and Ford's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx

from irgl.nx_backend.functions import hop_paths
from irgl.nx_backend.functions import weighted_paths as heap
from irgl.nx_backend.graph import Rows, check_node, with_weights
from irgl.nx_backend.offers import Cost, offer
from irgl.nx_backend.run import call

QUEUE = Cost(theirs=450, ours=60, result=100)
QUEUES = Cost(theirs=450, ours=60, result=100, rounds="nodes", lists=True)
CHOSEN = Cost(theirs=45, ours=5, result=70, rounds="ends", lists=True)


def _length_covered(G: Any, given: Mapping[str, Any]) -> str:
    if given["method"] not in ("dijkstra", "bellman-ford"):
        return "the method is not known"
    if given["weight"] is not None and given["source"] is None and given["target"] is not None and G.is_directed():
        return "weighted paths to one node of a directed graph are not covered"
    return heap.named_weight(G, given)


def _path_covered(G: Any, given: Mapping[str, Any]) -> str:
    pair = given["source"] is not None and given["target"] is not None
    if pair and given["weight"] is not None and given["method"] == "dijkstra":
        return "which of several paths NetworkX finds from both ends is not covered"
    return _length_covered(G, given)


@offer(CHOSEN, _path_covered)
def shortest_path(G: Rows, source: Any = None, target: Any = None, weight: Any = None,
                  method: Any = "dijkstra") -> Any:  # fmt: skip
    ford = method == "bellman-ford"
    if source is None and target is None:
        if weight is None:
            return hop_paths.all_pairs_shortest_path(G)
        return (all_pairs_bellman_ford_path if ford else heap.all_pairs_dijkstra_path)(G, weight=weight)
    if source is None:
        if weight is None:
            return hop_paths.single_target_shortest_path(G, target)
        single = single_source_bellman_ford_path if ford else heap.single_source_dijkstra_path
        return {name: path[::-1] for name, path in single(G, target, weight=weight).items()}
    if target is None:
        if weight is None:
            return hop_paths.single_source_shortest_path(G, source)
        return (single_source_bellman_ford_path if ford else heap.single_source_dijkstra_path)(G, source, weight=weight)
    if weight is None:
        return hop_paths.bidirectional_shortest_path(G, source, target)
    return bellman_ford_path(G, source, target, weight)


@offer(CHOSEN, _length_covered)
def shortest_path_length(G: Rows, source: Any = None, target: Any = None, weight: Any = None,
                         method: Any = "dijkstra") -> Any:  # fmt: skip
    ford = method == "bellman-ford"
    if source is None and target is None:
        if weight is None:
            return hop_paths.all_pairs_shortest_path_length(G)
        return (all_pairs_bellman_ford_path_length if ford else heap.all_pairs_dijkstra_path_length)(G, weight=weight)
    if source is None or target is None:
        one = target if source is None else source
        if weight is None:
            if source is None and G.is_directed():
                start = check_node(G, one, f"Source {one} is not in G")
                return hop_paths.lengths_back(G, start)
            return hop_paths.single_source_shortest_path_length(G, one)
        single = single_source_bellman_ford_path_length if ford else heap.single_source_dijkstra_path_length
        return single(G, one, weight=weight)
    if weight is None:
        return len(hop_paths.bidirectional_shortest_path(G, source, target)) - 1
    return (bellman_ford_path_length if ford else heap.dijkstra_path_length)(G, source, target, weight)


# Bellman and Ford


def _queued(graph: Rows, source: Any, weight: Any) -> heap.Settled:
    """Distances by NetworkX's queue, nodes in the order in which it meets them."""
    start = check_node(graph, source, f"Source {source} not in G")
    lengths, whole = heap.lengths_of(graph, weight, below_0=True)
    rows = graph.made(("queued", weight), lambda: with_weights(graph.rows, lengths))
    out = call("queue", rows, src=start)
    if out["unbounded"]:
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    return heap.Settled(out["in_order"][: out["met"]], out["distance"], out["above"], lengths, whole)


@offer(QUEUE, heap.named_weight)
def single_source_bellman_ford_path_length(G: Rows, source: Any, weight: Any = "weight") -> dict[Any, Any]:
    return _queued(G, source, weight).dict_of(G)


def _paths(graph: Rows, found: heap.Settled) -> dict[Any, list[Any]]:
    return {graph.labels[n]: found.path_to(graph, n) for n in found.order.tolist()}


@offer(QUEUE, heap.named_weight)
def single_source_bellman_ford_path(G: Rows, source: Any, weight: Any = "weight") -> dict[Any, list[Any]]:
    return _paths(G, _queued(G, source, weight))


@offer(QUEUE, heap.named_weight)
def single_source_bellman_ford(G: Rows, source: Any, target: Any = None, weight: Any = "weight") -> Any:
    if source == target:
        check_node(G, source, f"Node {source} is not found in the graph")
        return 0, [source]
    found = _queued(G, source, weight)
    if target is None:
        return found.dict_of(G), _paths(G, found)
    end = found.end(G, target, f"Target {target} cannot be reached from given sources")
    return found.number(end), found.path_to(G, end)


@offer(QUEUE, heap.named_weight)
def bellman_ford_path(G: Rows, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    return single_source_bellman_ford(G, source, target, weight)[1]  # type: ignore[no-any-return]


@offer(QUEUE, heap.named_weight)
def bellman_ford_path_length(G: Rows, source: Any, target: Any, weight: Any = "weight") -> Any:
    if source == target:
        check_node(G, source, f"Node {source} not found in graph")
        return 0
    found = _queued(G, source, weight)
    return found.number(found.end(G, target, f"node {target} not reachable from {source}"))


@offer(QUEUES, heap.named_weight)
def all_pairs_bellman_ford_path_length(G: Rows, weight: Any = "weight") -> Iterator[Any]:
    heap.lengths_of(G, weight, below_0=True)  # what is not covered is refused before the first
    return ((name, _queued(G, name, weight).dict_of(G)) for name in G.labels)


@offer(QUEUES, heap.named_weight)
def all_pairs_bellman_ford_path(G: Rows, weight: Any = "weight") -> Iterator[Any]:
    heap.lengths_of(G, weight, below_0=True)
    return ((name, _paths(G, _queued(G, name, weight))) for name in G.labels)
