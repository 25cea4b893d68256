"""The order in which a graph's nodes lie in memory: near each other what is used together.

A plan chooses it (`order`), where a program's answer does not depend on numbers (irgl/analysis/values/numbers.py). The
graph is laid out before the call, once for each order; the values that a program gets and all that it leaves are
translated, so that nobody outside sees another numbering than the graph's own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.plan import Plan
from irgl.rt.graphs import store as graph_store
from irgl.rt.graphs.graph import Graph, Transpose
from irgl.rt.graphs.sorting import index_type, stable_order
from irgl.rt.manifests.manifest import GraphParam, Manifest
from irgl.rt.results.result import Result, Values
from irgl.source import IrglError

Array = NDArray[Any]
GIVEN = "given"
#: SciPy counts in 32 bits, and a directed graph's edges twice.
MOST_EDGES = 2**30


@dataclass(frozen=True, slots=True)
class Placed:
    """A graph laid out anew. node: of each node here, its number in the given graph; place: the other way round.

    edge: of each edge here, its number in the given graph. Rows keep the order of their edges.
    """

    graph: Graph
    node: Array
    place: Array
    edge: Array


class Order:
    """The graphs of a call (by parameter) and its values as a plan lays them out; ms: what that took."""

    def __init__(self, manifest: Manifest, graphs: Mapping[str, Graph], values: Mapping[str, Any], plan: Plan) -> None:
        begin = time.perf_counter()
        word = GIVEN if manifest.numbered else plan.text_of("order")
        self.manifest = manifest
        self.placed = {} if word == GIVEN else {g.name: place(graphs[g.name], word, g) for g in manifest.graphs}
        self.graphs: Mapping[str, Graph] = {**graphs, **{name: p.graph for name, p in self.placed.items()}}
        nodes = {p.name: p.graph for p in manifest.params if p.type == "node" and p.graph in self.placed}
        self.values = {n: _at(self.placed[nodes[n]].place, v) if n in nodes else v for n, v in values.items()}
        self.ms = (time.perf_counter() - begin) * 1e3 if self.placed else 0.0

    def back(self, result: Result) -> Result:
        """What a call on these graphs left, in the numbering of the given ones."""
        if not self.placed:
            return result
        found = {name: self._back(self.placed[result.home[name]], v) for name, v in result.properties.items()}
        return replace(result, properties=found)

    def _back(self, p: Placed, values: Values) -> Values:
        at = p.node if values.owner == "node" else p.edge
        array = np.empty_like(values.array)
        array[at] = values.array
        fields = self.manifest.structs.get(values.type)
        if fields is None:
            return replace(values, array=_given(p, values.type, array))
        for t, name in fields:
            array[name] = _given(p, t, array[name])
        return replace(values, array=array)


def place(graph: Graph, order: str, need: GraphParam | None = None) -> Placed:
    """`graph` in an order (a word of the plan), made once; that of a file is kept in the cache on disk.

    need: its in-edges may be wanted, too.
    """
    known: Placed | None = graph.orders.get(order) or _kept(graph, order)
    found = known if known is not None else laid_out(graph, _ORDERS[order](graph))
    graph.orders[order] = found
    if need is not None and need.transpose and (graph.directed or need.in_edge) and found.graph._transpose is None:
        found.graph._transpose = _transpose(graph.transpose(), found)
    if known is None and graph.entry:
        # The numbers of the given graph take the place of the file's ids.
        graph_store.keep(f"{graph.entry}-{order}", replace(found.graph, node_ids=found.node.astype(np.int64)))
    return found


def _kept(graph: Graph, order: str) -> Placed | None:
    """The graph as an earlier run of irgl laid it out, from the cache on disk."""
    out = graph_store.find(f"{graph.entry}-{order}") if graph.entry else None
    if out is None or out.node_ids is None:
        return None
    node = out.node_ids.astype(index_type(graph.num_nodes))
    return Placed(replace(out, node_ids=None), node, _inverse(node), _rows(graph.row, node)[1])


def laid_out(graph: Graph, node: Array) -> Placed:
    """`graph` with its nodes in the order of `node`, a permutation of them. O(nodes + edges)."""
    here = _inverse(node)
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
    return Transpose(in_row, source, _inverse(p.edge)[given.in_edge[at]])


def _inverse(permutation: Array) -> Array:
    found = np.empty_like(permutation)
    found[permutation] = np.arange(len(permutation), dtype=permutation.dtype)
    return found


def _at(table: Array, node: int) -> int:
    return int(table[node]) if node >= 0 else node


def _given(p: Placed, t: str, array: Array) -> Array:
    """Values that are nodes or edges, by their numbers in the given graph; NONE and all other values stay."""
    if t not in ("node", "edge"):
        return array
    numbers = p.node if t == "node" else p.edge
    inside = (array >= 0) & (array < len(numbers))
    there = numbers[np.where(inside, array, 0)] if len(numbers) else array
    return np.where(inside, there, array).astype(array.dtype, copy=False)


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


_ORDERS: Mapping[str, Callable[[Graph], Array]] = {"degree": _by_degree, "rcm": _near_neighbours}
