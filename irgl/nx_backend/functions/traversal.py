"""Walks of a graph, breadth and depth first."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx
import numpy as np

from irgl.nx_backend.functions.walking import DEEPEST, Walk, breadth, depth_first, levels, node_of
from irgl.nx_backend.graph import Rows
from irgl.nx_backend.offers import DEPTH_FIRST, FROM_MANY, ONE_PASS, offer
from irgl.nx_backend.versions import newer


def _unsorted(G: Any, given: Mapping[str, Any]) -> str:
    return "" if given["sort_neighbors"] is None else "neighbours are taken in the graph's own order: sort_neighbors"


def _search(graph: Rows, source: Any, limit: Any, *, reverse: bool = False) -> Walk:
    return breadth(graph.backward() if reverse else graph.rows, [node_of(graph, source)], levels(limit))


@offer(ONE_PASS, _unsorted)
def bfs_edges(G: Rows, source: Any, reverse: Any = False, depth_limit: Any = None,
              sort_neighbors: Any = None) -> Iterator[tuple[Any, Any]]:  # fmt: skip
    yield from _search(G, source, depth_limit, reverse=reverse).edges(G)


@offer(ONE_PASS, _unsorted)
def bfs_tree(G: Rows, source: Any, reverse: Any = False, depth_limit: Any = None, sort_neighbors: Any = None) -> Any:
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(_search(G, source, depth_limit, reverse=reverse).edges(G))
    return tree


@offer(ONE_PASS, _unsorted)
def bfs_predecessors(G: Rows, source: Any, depth_limit: Any = None,
                     sort_neighbors: Any = None) -> Iterator[tuple[Any, Any]]:  # fmt: skip
    if newer((3, 7)):
        warnings.warn("NetworkX will drop bfs_predecessors: turn the pairs of bfs_edges round", DeprecationWarning,
                      stacklevel=2)
    for parent, child in _search(G, source, depth_limit).edges(G):
        yield child, parent


@offer(ONE_PASS, _unsorted)
def bfs_successors(G: Rows, source: Any, depth_limit: Any = None,
                   sort_neighbors: Any = None) -> Iterator[tuple[Any, list[Any]]]:  # fmt: skip
    last = source
    children: list[Any] = []
    for parent, child in _search(G, source, depth_limit).edges(G):
        if parent != last:
            yield last, children
            last, children = parent, []
        children.append(child)
    yield last, children


@offer(FROM_MANY)
def bfs_layers(G: Rows, sources: Any) -> Iterator[list[Any]]:
    names = [sources] if sources in G else list(set(sources))
    for name in names:
        if name not in G:
            raise nx.NetworkXError(f"The node {name} is not in the graph.")
    if not names:
        return
    walk = breadth(G.rows, [G.places[name] for name in names])
    depths = walk.depth[walk.order]
    borders = np.flatnonzero(np.diff(depths)) + 1
    for layer in np.split(walk.order, borders):
        yield G.names(layer)


@offer(ONE_PASS)
def descendants_at_distance(G: Rows, source: Any, distance: Any) -> set[Any]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    walk = breadth(G.rows, [G.places[source]])
    return set(G.names(walk.order[walk.depth[walk.order] == distance])) if distance >= 0 else set()


@offer(ONE_PASS)
def descendants(G: Rows, source: Any) -> set[Any]:
    return set(G.names(_search(G, source, None).order[1:]))


@offer(ONE_PASS)
def ancestors(G: Rows, source: Any) -> set[Any]:
    return set(G.names(breadth(G.into(), [node_of(G, source)]).order[1:]))


def _depth_first(graph: Rows, source: Any, limit: Any) -> tuple[Walk, Any, int]:
    starts = range(len(graph)) if source is None else [node_of(graph, source)]
    most = DEEPEST if limit is None else max(1, levels(limit))
    walk, left = depth_first(graph.rows, starts, most)
    return walk, left, most


@offer(DEPTH_FIRST, _unsorted)
def dfs_edges(G: Rows, source: Any = None, depth_limit: Any = None, *,
              sort_neighbors: Any = None) -> Iterator[tuple[Any, Any]]:  # fmt: skip
    yield from _depth_first(G, source, depth_limit)[0].edges(G)


@offer(DEPTH_FIRST, _unsorted)
def dfs_tree(G: Rows, source: Any = None, depth_limit: Any = None, *, sort_neighbors: Any = None) -> Any:
    tree = nx.DiGraph()
    tree.add_nodes_from(G.labels if source is None else [source])
    tree.add_edges_from(_depth_first(G, source, depth_limit)[0].edges(G))
    return tree


@offer(DEPTH_FIRST, _unsorted)
def dfs_predecessors(G: Rows, source: Any = None, depth_limit: Any = None, *,
                     sort_neighbors: Any = None) -> dict[Any, Any]:  # fmt: skip
    return {child: parent for parent, child in _depth_first(G, source, depth_limit)[0].edges(G)}


@offer(DEPTH_FIRST, _unsorted)
def dfs_successors(G: Rows, source: Any = None, depth_limit: Any = None, *,
                   sort_neighbors: Any = None) -> dict[Any, list[Any]]:  # fmt: skip
    found: dict[Any, list[Any]] = {}
    for parent, child in _depth_first(G, source, depth_limit)[0].edges(G):
        found.setdefault(parent, []).append(child)
    return found


@offer(DEPTH_FIRST, _unsorted)
def dfs_preorder_nodes(G: Rows, source: Any = None, depth_limit: Any = None, *,
                       sort_neighbors: Any = None) -> Iterator[Any]:  # fmt: skip
    yield from G.names(_depth_first(G, source, depth_limit)[0].order)


@offer(DEPTH_FIRST, _unsorted)
def dfs_postorder_nodes(G: Rows, source: Any = None, depth_limit: Any = None, *,
                        sort_neighbors: Any = None) -> Iterator[Any]:  # fmt: skip
    walk, left, most = _depth_first(G, source, depth_limit)
    yield from G.names(left[walk.depth[left] < most])
