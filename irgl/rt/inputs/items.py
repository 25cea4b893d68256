"""Values by node, or by the two ends of an edge, brought into the order of a graph's nodes and edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class ByNode:
    """Values of nodes: `nodes` are dense numbers."""

    nodes: Array
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class ByEnds:
    """Values of edges by their ends, dense numbers. Of an undirected edge either order does."""

    src: Array
    dst: Array
    values: Array


def spread(name: str, values: Array, nodes: Array, graph: Graph, rest: Any) -> Array:
    """Values by node as an array of all nodes; the others have `rest`. Raises IrglError where there is none."""
    count = np.bincount(nodes, minlength=graph.num_nodes)
    twice = np.flatnonzero(count > 1)
    if len(twice):
        raise IrglError(f"`{name}` has several values for {_told(graph, twice, 'node')}", hint="give each node one")
    missing = np.flatnonzero(count == 0)
    if len(missing) and rest is None:
        raise IrglError(f"`{name}` has no value for {_told(graph, missing, 'node')}",
                        hint="give one for every node, or declare the input with an initial value")
    found = np.full((graph.num_nodes, *values.shape[1:]), 0 if rest is None else rest, values.dtype)
    found[nodes] = values
    return found


def along(name: str, values: Array, ends: ByEnds, graph: Graph, rest: Any) -> Array:
    """Values by ends as an array of all edges, reverse arcs and parallel edges too; the others have `rest`.

    Raises IrglError for two values of one edge that differ, ends without an edge (but for self-loops that preparing
    dropped), and an edge without a value where there is no `rest`. O(m log m).
    """
    n = max(1, graph.num_nodes)
    keys = ends.src.astype(np.int64) * n + ends.dst
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    same = np.flatnonzero((keys[1:] == keys[:-1]) & (values[1:] != values[:-1]))
    if len(same):
        raise IrglError(f"`{name}` has several values for {_told(graph, keys[same], 'edge', n)}",
                        hint="give each edge one: ends don't tell parallel edges apart")
    src = graph.sources().astype(np.int64)
    wanted = src * n + graph.dst
    at, found = _find(keys, wanted)
    if not graph.directed:
        back, there = _find(keys, graph.dst.astype(np.int64) * n + src)
        at, found = np.where(found, at, back), found | there
    present = np.sort(wanted)
    known = _find(present, keys)[1]
    if not graph.directed:
        known |= _find(present, keys % n * n + keys // n)[1]
    if graph.simple:
        known |= keys // n == keys % n
    if not known.all():
        raise IrglError(f"`{name}` has values for edges that the graph lacks: {_told(graph, keys[~known], '', n)}",
                        hint="leave them out, or add the edges to the graph")
    if not found.all() and rest is None:
        raise IrglError(f"`{name}` has no value for {_told(graph, wanted[~found], 'edge', n)}",
                        hint="give one for every edge, or declare the input with an initial value")
    if not len(keys):
        return np.full(len(wanted), 0 if rest is None else rest, values.dtype)
    return np.where(found, values[at], np.asarray(0 if rest is None else rest, values.dtype))


def _find(ascending: Array, wanted: Array) -> tuple[Array, Array]:
    """Where in an ascending array the wanted values stand, and whether they do."""
    if not len(ascending):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
    at = np.minimum(np.searchsorted(ascending, wanted), len(ascending) - 1)
    return at, ascending[at] == wanted


def _told(graph: Graph, items: Array, what: str, n: int = 0) -> str:
    """The first three of some nodes or edges, by the file's ids."""
    if n:
        names = [f"{graph.file_id(int(k) // n)} -> {graph.file_id(int(k) % n)}" for k in items[:3]]
    else:
        names = [str(graph.file_id(int(k))) for k in items[:3]]
    more = f" and {len(items) - 3} more" if len(items) > 3 else ""
    return f"{what} {', '.join(names)}{more}".strip()
