"""Shortest paths by the number of edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from irgl.nx_backend.functions.walking import Walk, breadth, climb, levels, lists_of, ranks
from irgl.nx_backend.graph import Rows, check_node
from irgl.nx_backend.offers import ALL_PAIRS, ENDS_EARLY, ONE_PASS, PATHS, offer
from irgl.nx_backend.run import call


def _lengths(graph: Rows, walk: Walk) -> dict[Any, int]:
    return dict(zip(graph.names(walk.order), walk.depth[walk.order].tolist(), strict=True))


def lengths_back(graph: Rows, end: int) -> dict[Any, int]:
    """How far each node is from which `end` can be reached."""
    return _lengths(graph, breadth(graph.backward(), [end]))


def _paths(graph: Rows, walk: Walk, *, turned: bool = False) -> dict[Any, list[Any]]:
    """A path for each node that was met, built on that of the node it was met from."""
    found: dict[Any, list[Any]] = {}
    order = walk.order.tolist()
    above = walk.above[walk.order].tolist()
    labels = graph.labels
    for node, parent in zip(order, above, strict=True):
        name = labels[node]
        if parent < 0:
            found[name] = [name]
        else:
            path = found[labels[parent]]
            found[name] = [name, *path] if turned else [*path, name]
    return found


@offer(ONE_PASS)
def single_source_shortest_path_length(G: Rows, source: Any, cutoff: Any = None) -> dict[Any, int]:
    start = check_node(G, source, f"Source {source} is not in G")
    return _lengths(G, breadth(G.rows, [start], levels(cutoff)))


@offer(ONE_PASS)
def single_target_shortest_path_length(G: Rows, target: Any, cutoff: Any = None) -> dict[Any, int]:
    end = check_node(G, target, f"Target {target} is not in G")
    return _lengths(G, breadth(G.backward(), [end], levels(cutoff)))


@offer(ALL_PAIRS)
def all_pairs_shortest_path_length(G: Rows, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, int]]]:
    for number, name in enumerate(G.labels):
        yield name, _lengths(G, breadth(G.rows, [number], levels(cutoff)))


@offer(PATHS)
def single_source_shortest_path(G: Rows, source: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    start = check_node(G, source, f"Source {source} not in G")
    return _paths(G, breadth(G.rows, [start], levels(cutoff)))


@offer(PATHS)
def single_target_shortest_path(G: Rows, target: Any, cutoff: Any = None) -> dict[Any, list[Any]]:
    end = check_node(G, target, f"Target {target} not in G")
    return _paths(G, breadth(G.backward(), [end], levels(cutoff)), turned=True)


@offer(ALL_PAIRS)
def all_pairs_shortest_path(G: Rows, cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    for number, name in enumerate(G.labels):
        yield name, _paths(G, breadth(G.rows, [number], levels(cutoff)))


@offer(PATHS)
def predecessor(G: Rows, source: Any, target: Any = None, cutoff: Any = None, return_seen: Any = None) -> Any:
    start = check_node(G, source, f"Source {source} not in G")
    walk = breadth(G.rows, [start], max(1, levels(cutoff)) if cutoff else levels(None))
    src, dst = G.rows.sources(), G.rows.dst
    tight = (walk.depth[src] >= 0) & (walk.depth[dst] == walk.depth[src] + 1)
    found = lists_of(G, walk.order, src[tight], dst[tight], ranks(walk.order, len(G)))
    seen = _lengths(G, walk) if return_seen else {}
    if target is None:
        return (found, seen) if return_seen else found
    if return_seen:
        return (found[target], seen[target]) if target in found else ([], -1)
    return found.get(target, [])


@offer(ENDS_EARLY)
def bidirectional_shortest_path(G: Rows, source: Any, target: Any) -> list[Any]:
    start = check_node(G, source, f"Source {source} is not in G")
    end = check_node(G, target, f"Target {target} is not in G")
    found = call("meet", G.rows, G.backward(), src=start, dst=end)
    if found["middle"] < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    middle = int(found["middle"])
    path = [*reversed(climb(found["above"], middle)), *climb(found["h.above"], middle)[1:]]
    return [G.labels[n] for n in path]


@offer(ENDS_EARLY)
def has_path(G: Rows, source: Any, target: Any) -> bool:
    start = check_node(G, source, f"Source {source} is not in G")
    end = check_node(G, target, f"Target {target} is not in G")
    return bool(breadth(G.rows, [start]).depth[end] >= 0)
