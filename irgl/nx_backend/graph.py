"""A NetworkX graph as compressed rows, in NetworkX's own order of nodes and neighbours."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse as sp

from irgl.nx_backend.weights import Weights, read_weights
from irgl.rt.graphs.graph import Graph

Array = np.ndarray[Any, Any]
_MARK = "irgl snapshot"


class Rows:
    """A NetworkX graph, converted: what `backend="irgl"` works on.

    labels: the nodes in order. Rows hold each neighbour once, in NetworkX's order, of parallel edges one; what their
    weights are together, functions ask of `weights`. It is a snapshot: what needs the graph itself (attributes, the
    order of predecessors) is refused once NetworkX knows that it has changed.
    """

    __networkx_backend__ = "irgl"

    def __init__(self, original: Any, attributes: dict[str, Any] | None) -> None:
        self.original = original
        self._directed = bool(original.is_directed())
        self._multigraph = bool(original.is_multigraph())
        self.graph = original.graph
        adjacency = original._adj
        self.labels: list[Hashable] = list(adjacency)
        self._places: dict[Hashable, int] | None = None
        self.numbered = _numbered(self.labels)
        self.rows = self._read(adjacency)
        self._weights: dict[str, Weights] = {
            name: read_weights(adjacency, self.rows, name, default, multigraph=self._multigraph)
            for name, default in (attributes or {}).items()
        }
        self._made: dict[Any, Any] = {}
        self._token = object()
        cache = getattr(original, "__networkx_cache__", None)
        if cache is not None:
            self._token = cache.setdefault(_MARK, self._token)

    def _read(self, adjacency: Any) -> Graph:
        """The rows of an adjacency that is keyed as NetworkX's are."""
        nodes = len(self.labels)
        rows: Any = adjacency.values()
        if type(adjacency) is not dict:  # a view: its rows may have another length than they say
            rows = [list(row) for row in rows]
        row = _row(np.fromiter(map(len, rows), np.int64, nodes))
        ends: Iterable[Any] = chain.from_iterable(rows)
        if not self.numbered:
            ends = map(self.places.__getitem__, ends)
        dst = np.fromiter(ends, np.int32 if nodes < 2**31 else np.int64, int(row[-1]))
        return Graph(row, dst, directed=self._directed)

    # What NetworkX asks of any graph

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def number_of_nodes(self) -> int:
        return len(self.labels)

    order = __len__ = number_of_nodes

    def number_of_edges(self) -> int:
        return int(self.original.number_of_edges())

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.labels)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.places
        except TypeError:
            return False

    # What functions ask

    @property
    def places(self) -> dict[Hashable, int]:
        """The number of each node."""
        if self._places is None:
            self._places = {label: i for i, label in enumerate(self.labels)}
        return self._places

    def changed(self) -> bool:
        """Does NetworkX know that the graph has changed since?"""
        cache = getattr(self.original, "__networkx_cache__", None)
        return cache is not None and cache.get(_MARK) is not self._token

    def current(self) -> Any:
        """The graph that was converted. NotImplementedError where it has changed since."""
        if self.changed():
            raise NotImplementedError("the graph has changed since it was converted")
        return self.original

    def made(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` makes of this graph, kept."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def weights(self, name: str) -> Weights:
        """The weights of edges, 1 where an edge has none. NotImplementedError where they are no plain numbers."""
        if name not in self._weights:
            adjacency = self.current()._adj
            self._weights[name] = read_weights(adjacency, self.rows, name, 1, multigraph=self._multigraph)
        found = self._weights[name]
        if found.refused:
            raise NotImplementedError(found.refused)
        return found

    def backward(self) -> Graph:
        """Rows of predecessors, in NetworkX's order."""
        if not self._directed:
            return self.rows
        found: Graph = self.made("backward", lambda: self._read(self.current()._pred))
        return found

    def into(self) -> Graph:
        """Rows of predecessors, ascending; their weights are `into_weights`."""
        return self.rows if not self._directed else self._transposed()[0]

    def into_weights(self, values: Array) -> Array:
        """Values of edges in the order of `into`. Undirected edges have one value from both ends."""
        return values if not self._directed else values[self._transposed()[1]]

    def _transposed(self) -> tuple[Graph, Array]:
        return self.made("into", lambda: _transposed(self.rows))  # type: ignore[no-any-return]

    def both(self) -> Graph:
        """Rows of neighbours in either direction; of a directed graph successors first, then predecessors."""
        if not self._directed:
            return self.rows

        def make() -> Graph:
            back, nodes = self.into(), len(self.labels)
            src = np.concatenate([self.rows.sources(), back.sources()])
            dst = np.concatenate([self.rows.dst, back.dst])
            order = np.argsort(src, kind="stable")
            return Graph(_row(np.bincount(src, minlength=nodes)), dst[order], directed=False)

        return self.made("both", make)  # type: ignore[no-any-return]

    def simple(self) -> Graph:
        """Undirected rows without loops, ascending."""

        def make() -> Graph:
            graph = self.both()
            nodes = len(self.labels)
            # SciPy sorts in place: the rows keep their own order.
            arrays = np.ones(graph.num_edges, np.int8), graph.dst.copy(), graph.row.copy()
            matrix = sp.csr_array(arrays, (nodes, nodes))
            matrix.sum_duplicates()
            row, dst = matrix.indptr, matrix.indices
            src = np.repeat(np.arange(nodes, dtype=dst.dtype), np.diff(row))
            keep = src != dst
            if not keep.all():
                src, dst = src[keep], dst[keep]
                row = _row(np.bincount(src, minlength=nodes))
            return Graph(row, dst, directed=False, sorted=True, simple=True)

        return self.made("simple", make)  # type: ignore[no-any-return]

    def dict_of(self, values: Array) -> dict[Hashable, Any]:
        """A number for each node, by the nodes' names."""
        return dict(zip(self.labels, values.tolist(), strict=True))

    def names(self, numbers: Array) -> list[Hashable]:
        """The names of some nodes."""
        found = numbers.tolist()
        return found if self.numbered else list(map(self.labels.__getitem__, found))


def with_weights(graph: Graph, values: Array) -> Graph:
    """`graph` with these weights; its arrays are shared."""
    return Graph(graph.row, graph.dst, values, directed=graph.directed, sorted=graph.sorted, simple=graph.simple)


def _numbered(labels: list[Hashable]) -> bool:
    """Are the nodes 0, 1, 2, ... in this order? Then they need no dictionary."""
    count = len(labels)
    if not count or labels[0] != 0 or labels[-1] != count - 1 or set(map(type, labels)) != {int}:
        return False
    return labels == list(range(count))


def graph_of(src: Array, dst: Array, nodes: int) -> Graph:
    """The rows of edges in any order, none of them twice; ends stand in the order in which they were given."""
    pairs = sp.coo_array((np.ones(len(src), np.int8), (src, dst)), (nodes, nodes))
    pairs.has_canonical_format = True  # SciPy needn't look for duplicates, nor sort
    rows = pairs.tocsr()
    return Graph(rows.indptr, rows.indices)


def _row(degrees: Array) -> Array:
    row = np.zeros(len(degrees) + 1, np.int64)
    np.cumsum(degrees, out=row[1:])
    return row.astype(np.int32) if int(row[-1]) < 2**31 else row


def _transposed(graph: Graph) -> tuple[Graph, Array]:
    """The rows the other way round, and the edge that each comes from."""
    nodes = graph.num_nodes
    numbers = np.arange(graph.num_edges, dtype=np.int64)
    turned = sp.csr_array((numbers, graph.dst, graph.row), (nodes, nodes)).tocsc()
    row, dst = turned.indptr.astype(graph.row.dtype), turned.indices.astype(graph.dst.dtype)
    return Graph(row, dst, directed=True, sorted=True), turned.data


def convert_from_nx(graph: Any, edge_attrs: dict[str, Any] | None = None, node_attrs: Any = None,
                    preserve_edge_attrs: Any = False, preserve_node_attrs: Any = False,
                    preserve_graph_attrs: Any = False, preserve_all_attrs: Any = False,
                    name: str | None = None, graph_name: str | None = None) -> Rows:  # fmt: skip
    """A NetworkX graph as Rows; NetworkX's dispatcher calls this, and keeps what it gives."""
    return Rows(graph, edge_attrs)


def convert_to_nx(found: Any, *, name: str | None = None) -> Any:
    """Results of functions are NetworkX's own already; Rows are the graph that they were made of."""
    return found.current() if isinstance(found, Rows) else found


def check_node(graph: Rows, node: Any, message: str) -> int:
    """The number of a node. NodeNotFound where the graph has none such."""
    if node not in graph:
        raise nx.NodeNotFound(message)
    return graph.places[node]
