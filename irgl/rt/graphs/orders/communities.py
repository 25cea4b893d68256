"""An order that brings communities together: nodes with many edges among themselves.

Clusters form level by level: each node goes to the neighbouring cluster from which modularity gains most, clusters
become the nodes of a smaller graph, and so on; where nothing is to be gained any more, clusters go to those that they
share most edges with. None grows larger than CLUSTER nodes. Nodes then stand cluster by cluster, level within level.
Source: V. Blondel, J.-L. Guillaume, R. Lambiotte and E. Lefebvre, Fast unfolding of communities in large networks,
J. Stat. Mech., 2008; the bound on their size: H. Meyerhenke, P. Sanders and C. Schulz, Partitioning complex networks
via size-constrained clustering, SEA 2014; the order: J. Arai and others, Rabbit order, IPDPS 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgl.forms.form import address
from irgl.rt.compile.native import function
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.sorting import inverse_of, offsets_of, stable_order

Array = NDArray[Any]
#: The most nodes of a cluster: so many ids have 16 bits.
CLUSTER = 1 << 16
#: How often nodes may change their cluster on a level.
_ROUNDS = 4
_HEADER = "cpu_rt/orders/communities.hpp"


class _Level(NamedTuple):
    """A graph of clusters; both ways of each edge are there. weight: None: 1. size: its nodes among the graph's."""

    row: Array
    cols: Array
    weight: Array | None
    size: Array
    degree: Array


def by_community(graph: Graph, cluster: int = CLUSTER) -> Array:
    """The nodes in their new order, (num_nodes,). O(num_edges) a level; the same graph gives the same order.

    Raises IrglError where there is no C++ compiler.
    """
    level = _both_ways(graph)
    labels: list[Array] = []
    by_degree = 1
    while len(level.size) > 1:
        label, count = _clustered(level, cluster, by_degree)
        if count < len(level.size):
            labels.append(label)
            level = _contracted(level, label, count)
        elif by_degree:
            by_degree = 0
        else:
            break
    node = np.argsort(-level.size, kind="stable").astype(graph.dst.dtype)
    for label in reversed(labels):
        node = stable_order(inverse_of(node)[label], len(node)).astype(node.dtype, copy=False)
    return node


def _both_ways(graph: Graph) -> _Level:
    row, cols = graph.row.astype(np.int64), graph.dst
    if graph.directed:
        back = graph.transpose()
        row = row + back.in_row
        cols = np.empty(2 * len(graph.dst), graph.dst.dtype)
        cols[_places(row[:-1], graph.row)] = graph.dst
        cols[_places(row[:-1] + np.diff(graph.row), back.in_row)] = back.in_src
    return _Level(row, cols, None, np.ones(graph.num_nodes, np.int64), np.diff(row))


def _places(begin: Array, row: Array) -> Array:
    """Where the items of rows lie when each row begins at `begin`."""
    found: Array = np.repeat(begin - row[:-1], np.diff(row))
    found += np.arange(len(found))
    return found


def _clustered(level: _Level, most: int, by_degree: int) -> tuple[Array, int]:
    n = len(level.size)
    turn = np.argsort(level.degree, kind="stable").astype(level.cols.dtype)
    label = np.empty(n, level.cols.dtype)
    arrays = (level.row, level.cols, level.weight, level.size, level.degree, turn)
    count = _native("irgl_cluster", level)(n, *map(address, arrays), most, by_degree, _ROUNDS, address(label))
    return label, count


def _contracted(level: _Level, label: Array, count: int) -> _Level:
    first, member = offsets_of(label, count), stable_order(label, count).astype(label.dtype, copy=False)
    row = np.empty(count + 1, np.int64)
    cols, weight = np.empty(len(level.cols), label.dtype), np.empty(len(level.cols), np.int64)
    arrays = (level.row, level.cols, level.weight, label, first, member, row, cols, weight)
    edges = _native("irgl_contract", level)(count, *map(address, arrays))
    size, degree = (np.add.reduceat(a[member], first[:-1]) for a in (level.size, level.degree))
    return _Level(row, cols[:edges].copy(), weight[:edges].copy(), size, degree)


def _native(name: str, level: _Level) -> Any:
    return function(_HEADER, name, 8 * level.cols.itemsize, 64)
