"""Shortest paths by weights that are at least 0: distances in parallel, then NetworkX's order of settling nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.functions.walking import climb, lists_of, ranks
from irgl.nx_backend.graph import Rows, check_node, with_weights
from irgl.nx_backend.offers import Cost, offer
from irgl.nx_backend.run import call, vector

Array = np.ndarray[Any, Any]
HEAP = Cost(theirs=250, ours=30, result=100, all_sources=True)
HEAPS = Cost(theirs=250, ours=30, result=100, rounds="nodes", lists=True)


@dataclass(frozen=True, slots=True)
class Settled:
    """order: nodes in the order in which Dijkstra's algorithm settles them. distance: of every node, infinite for those
    that are not reached. above: from which a node was found at its distance first, -1 for sources."""

    order: Array
    distance: Array
    above: Array
    lengths: Array  # of the edges
    whole: bool  # all are Python ints

    def number(self, node: int) -> Any:
        """A node's distance as NetworkX has it: a source's is the int 0."""
        found = float(self.distance[node])
        return int(found) if self.whole or self.above[node] < 0 else found

    def dict_of(self, graph: Rows) -> dict[Any, Any]:
        found = self.distance[self.order]
        values: list[Any] = found.astype(np.int64).tolist() if self.whole else found.tolist()
        if not self.whole:
            for place in np.flatnonzero(self.above[self.order] < 0).tolist():
                values[place] = 0
        return dict(zip(graph.names(self.order), values, strict=True))

    def paths(self, graph: Rows) -> dict[Any, list[Any]]:
        """Sources first, as they were given to the heap; then the others in order."""
        labels = graph.labels
        found: dict[Any, list[Any]] = {}
        above = self.above[self.order].tolist()
        for node, parent in zip(self.order.tolist(), above, strict=True):
            name = labels[node]
            found[name] = [name] if parent < 0 else [*found[labels[parent]], name]
        return found

    def path_to(self, graph: Rows, node: int) -> list[Any]:
        return [graph.labels[n] for n in reversed(climb(self.above, node))]

    def end(self, graph: Rows, target: Any, message: str) -> int:
        """The target's number. Raises NetworkXNoPath where it is not reached, or no node."""
        if target not in graph or not self.distance[graph.places[target]] < np.inf:
            raise nx.NetworkXNoPath(message)
        return graph.places[target]


def weight_word(weight: Any) -> str:
    """Why an argument names no edge attribute, or ""."""
    return "weights are an edge attribute, not a function" if callable(weight) else ""


def lengths_of(graph: Rows, weight: Any, *, below_0: bool = False) -> tuple[Array, bool]:
    """The length of every edge of the rows, and whether all are ints. NotImplementedError where they are no plain
    numbers, and for negative ones unless `below_0`."""
    if weight is None:
        return np.ones(graph.rows.num_edges), True
    found = graph.weights(weight)
    if not found.exact:
        raise NotImplementedError("weights are ints or floats, not some of each")
    if found.negative and not below_0:
        raise NotImplementedError("weights are at least 0")
    return found.lightest.astype(np.float64), found.lightest.dtype.kind == "i"


def settle(graph: Rows, sources: Iterable[int], weight: Any, cutoff: Any = None, *, ordered: bool = True) -> Settled:
    """Dijkstra's algorithm from all sources, up to a distance. Without `ordered` nothing but the distances."""
    lengths, whole = graph.made(("lengths", weight), lambda: lengths_of(graph, weight))
    rows = graph.made(("weighted", weight), lambda: with_weights(graph.rows, lengths))
    width = graph.made(("width", weight), lambda: _width(lengths, len(graph)))
    starts = vector(list(sources))
    limit = np.inf if cutoff is None else float(cutoff)
    distance = call("nearest", rows, starts, width=width, limit=limit)["distance"]
    if not ordered:
        return Settled(np.empty(0, np.int64), distance, np.full(len(graph), -1), lengths, whole)
    reached = np.flatnonzero(distance < np.inf)
    reached = reached[np.argsort(distance[reached], kind="stable")]
    sorted_distance = distance[reached]
    first = np.zeros(len(graph))
    new = np.ones(len(reached), bool)
    new[1:] = sorted_distance[1:] != sorted_distance[:-1]
    first[reached] = np.maximum.accumulate(np.where(new, np.arange(len(reached)), 0))
    known = vector(np.concatenate([distance, first]), np.float64)
    found = call("settle", rows, known, vector(starts.weight, np.float64), reached=len(reached))
    return Settled(found["in_order"][: len(reached)], distance, found["above"], lengths, whole)


def _width(lengths: Array, nodes: int) -> float:
    """Of a bucket: a few edges long where there are few edges a node, less where there are many."""
    if not len(lengths):
        return 1.0
    mean = float(lengths.mean())
    density = len(lengths) / max(1, nodes)
    return max(mean * 18.0 / max(1.0, density * density), float(lengths.max()) / 1e6, 1e-300)


def named_weight(G: Any, given: Mapping[str, Any]) -> str:
    return weight_word(given["weight"])


def _numbers(graph: Rows, sources: Any) -> list[int]:
    if not sources:
        raise ValueError("sources must not be empty")
    return [check_node(graph, s, f"Node {s} not found in graph") for s in sources]


@offer(HEAP, named_weight)
def multi_source_dijkstra_path_length(G: Rows, sources: Any, cutoff: Any = None,
                                      weight: Any = "weight") -> dict[Any, Any]:  # fmt: skip
    return settle(G, _numbers(G, sources), weight, cutoff).dict_of(G)


@offer(HEAP, named_weight)
def multi_source_dijkstra_path(G: Rows, sources: Any, cutoff: Any = None,
                               weight: Any = "weight") -> dict[Any, list[Any]]:  # fmt: skip
    return settle(G, _numbers(G, sources), weight, cutoff).paths(G)


@offer(HEAP, named_weight)
def multi_source_dijkstra(G: Rows, sources: Any, target: Any = None, cutoff: Any = None,
                          weight: Any = "weight") -> Any:  # fmt: skip
    numbers = _numbers(G, sources)
    if target in sources:
        return 0, [target]
    found = settle(G, numbers, weight, cutoff)
    if target is None:
        return found.dict_of(G), found.paths(G)
    end = found.end(G, target, f"No path to {target}.")
    return found.number(end), found.path_to(G, end)


@offer(HEAP, named_weight)
def single_source_dijkstra_path_length(G: Rows, source: Any, cutoff: Any = None,
                                       weight: Any = "weight") -> dict[Any, Any]:  # fmt: skip
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


@offer(HEAP, named_weight)
def single_source_dijkstra_path(G: Rows, source: Any, cutoff: Any = None,
                                weight: Any = "weight") -> dict[Any, list[Any]]:  # fmt: skip
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


@offer(HEAP, named_weight)
def single_source_dijkstra(G: Rows, source: Any, target: Any = None, cutoff: Any = None,
                           weight: Any = "weight") -> Any:  # fmt: skip
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


@offer(HEAP, named_weight)
def dijkstra_path(G: Rows, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    return multi_source_dijkstra(G, {source}, target, None, weight)[1]  # type: ignore[no-any-return]


@offer(HEAP, named_weight)
def dijkstra_path_length(G: Rows, source: Any, target: Any, weight: Any = "weight") -> Any:
    start = check_node(G, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    found = settle(G, [start], weight, ordered=False)
    length = float(found.distance[found.end(G, target, f"Node {target} not reachable from {source}")])
    return int(length) if found.whole else length


def _every(graph: Rows, cutoff: Any, weight: Any, use: Callable[[Settled], Any]) -> Iterator[Any]:
    """Something of every node. What is not covered is refused before the first."""
    graph.made(("lengths", weight), lambda: lengths_of(graph, weight))
    return ((name, use(settle(graph, [n], weight, cutoff))) for n, name in enumerate(graph.labels))


@offer(HEAPS, named_weight)
def all_pairs_dijkstra(G: Rows, cutoff: Any = None, weight: Any = "weight") -> Iterator[Any]:
    return _every(G, cutoff, weight, lambda found: (found.dict_of(G), found.paths(G)))


@offer(HEAPS, named_weight)
def all_pairs_dijkstra_path_length(G: Rows, cutoff: Any = None, weight: Any = "weight") -> Iterator[Any]:
    return _every(G, cutoff, weight, lambda found: found.dict_of(G))


@offer(HEAPS, named_weight)
def all_pairs_dijkstra_path(G: Rows, cutoff: Any = None, weight: Any = "weight") -> Iterator[Any]:
    return _every(G, cutoff, weight, lambda found: found.paths(G))


@offer(HEAP, named_weight)
def dijkstra_predecessor_and_distance(G: Rows, source: Any, cutoff: Any = None, weight: Any = "weight") -> Any:
    start = check_node(G, source, f"Node {source} is not found in the graph")
    found = settle(G, [start], weight, cutoff)
    src, dst = G.rows.sources(), G.rows.dst
    there = found.distance[src] + found.lengths
    arcs = np.flatnonzero(there <= (np.inf if cutoff is None else float(cutoff)))
    arcs = arcs[there[arcs] < np.inf]
    # A node enters the dictionary when an edge leads to it for the first time, which is before it is settled.
    place = ranks(found.order, len(G))
    arcs = arcs[np.argsort(place[src[arcs]], kind="stable")]
    ends, begin = np.unique(dst[arcs], return_index=True)
    met = ends[np.argsort(begin, kind="stable")]
    met = np.concatenate([[start], met[met != start]])
    tight = arcs[there[arcs] == found.distance[dst[arcs]]]
    lists = lists_of(G, found.order, src[tight], dst[tight], place)
    return {name: lists[name] for name in G.names(met)}, found.dict_of(G)


def _without_heuristic(G: Any, given: Mapping[str, Any]) -> str:
    if given["heuristic"] is not None:
        return "a heuristic may change what A* finds: there is to be none"
    return "there is to be no cutoff" if given["cutoff"] is not None else named_weight(G, given)


@offer(HEAP, _without_heuristic)
def astar_path_length(G: Rows, source: Any, target: Any, heuristic: Any = None, weight: Any = "weight", *,
                      cutoff: Any = None) -> Any:  # fmt: skip
    if source not in G or target not in G:
        raise nx.NodeNotFound(f"Either source {source} or target {target} is not in G")
    return dijkstra_path_length(G, source, target, weight)
