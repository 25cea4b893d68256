"""The order in which a graph's nodes lie in memory: near each other what is used together.

A plan chooses it (`order`), where a program's answer does not depend on numbers (irgl/analysis/values/numbers.py). The
graph is laid out before the call, once for each order; irgl/rt/call/renumber.py translates what goes in and comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.graph import Graph, Transpose
from irgl.rt.graphs.kept.later import Later
from irgl.rt.graphs.orders.communities import CLUSTER, by_community
from irgl.rt.graphs.orders.inside import inside
from irgl.rt.graphs.sorting import index_type, inverse_of, stable_order
from irgl.rt.manifests.manifest import GraphParam
from irgl.source import IrglError

Array = NDArray[Any]
#: SciPy counts in 32 bits, and a directed graph's edges twice.
MOST_EDGES = 2**30


@dataclass(slots=True)
class Placed:
    """A graph laid out anew. node: of each node here, its number in the given graph; place: the other way round.

    edge: of each edge here, its number in the given graph. Rows keep the order of their edges.
    """

    graph: Graph
    node: Array
    place: Array
    edge: Array


class KeptPlaced(Later, Placed):
    """One that lies in the cache on disk: numbers of edges are worked out where somebody asks for them."""


def permutation(graph: Graph, order: str) -> Array:
    """The nodes of `graph` in an order (a word of the plan but `given`), (num_nodes,)."""
    return _ORDERS[order](graph)


def place(graph: Graph, order: str, need: GraphParam | None = None) -> Placed:
    """`graph` in an order (a word of the plan), made once; that of a file is kept in the cache on disk.

    need: its in-edges may be wanted, too.
    """
    known: Placed | None = graph.orders.get(order)
    if known is None:
        known = _kept(graph, order, need)
    found = known if known is not None else _anew(graph, order, need)
    found.graph.entry = f"{graph.entry}-{order}" if graph.entry else ""
    graph.orders[order] = found
    _add_in_edges(graph, found, need)
    return found


def _anew(graph: Graph, order: str, need: GraphParam | None) -> Placed:
    """The graph laid out now, and kept in the cache on disk."""
    made = laid_out(graph, permutation(graph, order))
    _add_in_edges(graph, made, need)
    if graph.entry:
        # The numbers of the given graph take the place of the file's ids.
        graph_store.keep(f"{graph.entry}-{order}", replace(made.graph, node_ids=made.node.astype(np.int64)))
    return made


def _add_in_edges(graph: Graph, found: Placed, need: GraphParam | None) -> None:
    if need is not None and need.transpose and (graph.directed or need.in_edge) and found.graph._transpose is None:
        found.graph._transpose = _transpose(graph.transpose(), found)


def _kept(graph: Graph, order: str, need: GraphParam | None) -> Placed | None:
    """The graph as an earlier run of irgl laid it out, from the cache on disk."""
    key = f"{graph.entry}-{order}"
    out = graph_store.find(key, lambda: _anew(graph, order, need).graph) if graph.entry else None
    if out is None or out.node_ids is None:
        return None
    node = out.node_ids.astype(index_type(graph.num_nodes))
    out.node_ids = None
    found = KeptPlaced(out, node, inverse_of(node), node)
    found.put_off({"edge": lambda: _rows(graph.row, node)[1]})
    return found


def laid_out(graph: Graph, node: Array) -> Placed:
    """`graph` with its nodes in the order of `node`, a permutation of them. O(nodes + edges)."""
    here = inverse_of(node)
    row, edge = _rows(graph.row, node)
    dst = here[graph.dst[edge]].astype(graph.dst.dtype, copy=False)
    weight = graph.weight[edge] if graph.weight is not None else None
    out = Graph(row, dst, weight, directed=graph.directed, source=graph.source, simple=graph.simple)
    return Placed(out, node, here, edge)


def _rows(row: Array, node: Array) -> tuple[Array, Array]:
    """Row offsets in another order of the nodes, and of each edge there its number before."""
    count = np.diff(row)[node]
    new = np.zeros_like(row)
    np.cumsum(count, out=new[1:])
    edge = np.repeat(row[:-1][node] - new[:-1], count)
    edge += np.arange(len(edge), dtype=row.dtype)
    return new, edge


def _transpose(given: Transpose, p: Placed) -> Transpose:
    in_row, at = _rows(given.in_row, p.node)
    source = p.place[given.in_src[at]].astype(given.in_src.dtype, copy=False)
    return Transpose(in_row, source, inverse_of(p.edge)[given.in_edge[at]])


def _by_degree(graph: Graph) -> Array:
    """Nodes of many edges first: what most edges lead to lies together, in few cache lines."""
    degree = graph.out_degrees()
    if graph.directed:
        degree = degree + np.bincount(graph.dst, minlength=graph.num_nodes)
    most = int(degree.max(initial=0))
    return stable_order(most - degree, most + 1)


def _near_neighbours(graph: Graph) -> Array:
    """The reverse of Cuthill and McKee's order (1969), level by level: neighbours lie near each other."""
    from scipy.sparse import csr_array  # loaded only where they are used: it takes a tenth of a second
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    if graph.num_edges >= MOST_EDGES:
        raise IrglError("order=rcm takes graphs of fewer than 2^30 edges", hint="use order=degree, or order=given")
    n = graph.num_nodes
    if n == 0:
        return np.empty(0, np.int32)
    ones: NDArray[np.bool_] = np.ones(graph.num_edges, np.bool_)
    index = (graph.dst.astype(np.int32, copy=False), graph.row.astype(np.int32, copy=False))
    matrix: Any = csr_array[Any]((ones, *index), shape=(n, n))
    found: Array = reverse_cuthill_mckee(matrix, symmetric_mode=not graph.directed)
    return found


def _most_inside(graph: Graph) -> Array:
    """Of the others, and the given one, the order that has most edges inside clusters; the first of several."""
    src, bits = graph.sources(), CLUSTER.bit_length() - 1
    best: Array = np.arange(graph.num_nodes, dtype=graph.dst.dtype)
    most = inside(src, graph.dst, bits)
    for found in (order(graph) for word, order in _ORDERS.items() if word != "auto" and most < 1.0):
        held = inside(src, graph.dst, bits, inverse_of(found))
        if held > most:
            best, most = found, held
    return best


_ORDERS: Mapping[str, Callable[[Graph], Array]] = {
    "degree": _by_degree, "rcm": _near_neighbours, "community": by_community, "auto": _most_inside}
