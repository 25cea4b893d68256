"""Graphs that are in memory already, in the shapes that Python's libraries keep them: as irgl's, sharing arrays where
the memory allows.

A library is recognised by the class of what is given; none is imported for that.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from irgl.rt.build_csr import Arcs, build, compact_ids
from irgl.rt.device_graph import DeviceGraph, Lent, Twins
from irgl.rt.graph import Graph
from irgl.rt.prepare import Requirements, prepare
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
#: Columns of tables that hold a graph, by the names that are looked for.
SOURCES, TARGETS, WEIGHTS = ("source", "src", "from", "u"), ("target", "dst", "to", "v"), ("weight", "w", "value")
_HINT = ("give a sparse matrix, a NetworkX graph, a tuple of arrays (source, target) or (source, target, "
         "weight), a list of edges, a table with such columns, or the name of a file")  # fmt: skip


@dataclass(slots=True)
class InMemory:
    """A graph and, where its nodes have names, those in order; keeps what programs ask to be made of it.

    irgl.as_graph makes it. graph: the Graph. labels: the name of each node, or None where nodes are numbers. lent: what
    programs on a GPU have brought there of it.
    """

    graph: Graph
    labels: Sequence[Hashable] | None = None
    lent: Twins = field(default_factory=dict, repr=False, compare=False)
    _places: dict[Hashable, int] | None = None
    _prepared: dict[Requirements, Graph] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prepared(self, need: Requirements) -> Graph:
        """The graph as a program needs it, made once: O(n + m) for a transpose, O(m log m) at most for sorted rows.

        Raises IrglError where it can't be made: of weights that the program's type can't hold.
        """
        with self._lock:
            if need not in self._prepared:
                self._prepared[need] = self._made(need)
            return self._prepared[need]

    def _made(self, need: Requirements) -> Graph:
        if not isinstance(self.graph, DeviceGraph):
            return prepare(self.graph, need)
        fitting = self.graph.fitting(need)
        if fitting is not None:
            return fitting
        made = prepare(self.graph, need)
        self.lent.update(self.graph.twins())
        return made

    def place(self, node: Hashable) -> Any:
        """The number of a node given by its name: O(1), after a first call in O(n).

        Raises IrglError where no node has that name.
        """
        if self.labels is None:
            return node
        with self._lock:
            if self._places is None:
                self._places = {label: i for i, label in enumerate(self.labels)}
        if node not in self._places:
            raise IrglError(f"the graph has no node {node!r}")
        return self._places[node]


def as_graph(given: Any, *, directed: bool | None = None, weight: str | None = None,
             nodes: int | None = None) -> InMemory:  # fmt: skip
    """The graph that `given` holds; see irgl.as_graph."""
    if isinstance(given, InMemory):
        return given
    if isinstance(given, Graph):
        return InMemory(given)
    library = _library(given)
    if library == "networkx" or (hasattr(given, "adj") and hasattr(given, "is_directed")):
        return _networkx(given, "weight" if weight is None else weight)
    if hasattr(given, "indptr") or hasattr(given, "tocsr"):
        return InMemory(_sparse(given, directed))
    if isinstance(given, tuple) and 2 <= len(given) <= 3:
        arrays = [_host(part) for part in given]
        return _arcs(arrays[0], arrays[1], arrays[2] if len(arrays) == 3 else None, directed, nodes)
    if isinstance(given, list) or (isinstance(given, np.ndarray) and given.ndim == 2):
        return _rows(given, directed, nodes)
    names = _columns(given)
    if names is not None:
        return _table(given, names, weight, directed, nodes)
    raise IrglError(f"a {type(given).__module__}.{type(given).__qualname__} is no graph", hint=_HINT)


def _host(values: Any) -> Array:
    """An array, column or list as a NumPy array: without a copy where its memory can be shared."""
    if _library(values) == "cupy":
        values = values.get()
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.from_dlpack(values)
    return np.asarray(values)


def _library(given: Any) -> str:
    return next((base.__module__.split(".")[0] for base in type(given).__mro__ if "." in base.__module__), "")


# SciPy


def _sparse(given: Any, directed: bool | None) -> Graph:
    """A sparse matrix: entry (i, j) is an edge from i to j with that weight. CSR's arrays are shared; CuPy's stay on
    their GPU, where what is asked of them here is worked out."""
    matrix = given if getattr(given, "format", "csr") == "csr" else given.tocsr()
    rows, columns = matrix.shape
    if rows != columns:
        raise IrglError(f"a matrix of {rows} rows and {columns} columns is no graph", hint="it has a row for each node")
    on_gpu = _library(matrix) == "cupyx"
    row, dst = (a if on_gpu else np.asarray(a) for a in (matrix.indptr, matrix.indices))
    if len(row) != rows + 1 or int(row[0]) != 0 or int(row[-1]) > len(dst) or (row[1:] < row[:-1]).any():
        raise IrglError("the matrix's indptr does not divide its indices into rows")
    dst = dst[: int(row[-1])]
    # One comparison finds indices that are too large and, as unsigned numbers, those below 0.
    if len(dst) and int(dst.view(np.dtype(f"u{dst.dtype.itemsize}")).max()) >= rows:
        raise IrglError("the matrix's indices name columns that it has not")
    # Whether its rows are sorted is asked where a program wants that.
    weight = _number(matrix.data[: len(dst)])
    if on_gpu:
        given = {"row": Lent(row), "dst": Lent(dst), "weight": Lent(weight)}
        return _mirrored(DeviceGraph.of(given, lambda: bool(matrix.has_sorted_indices), "<matrix>"), directed)
    return _mirrored(Graph(row, dst, weight, source="<matrix>"), directed)


def _mirrored(graph: Graph, directed: bool | None) -> Graph:
    """`graph`, with the reverse of every edge where it is said not to be directed."""
    if directed is not False:
        return graph
    return prepare(
        graph, Requirements(directed=False, weighted=None if graph.weight is None else graph.weight.dtype.name)
    )


def _number(data: Array) -> Array:
    """Weights as one of the types that graphs have, shared where they are."""
    kind, bits = data.dtype.kind, 8 * data.dtype.itemsize
    if kind in "bui" and (bits < 64 or kind == "i" or not len(data) or int(data.max()) < 2**63):
        return data.astype(np.int32 if bits + (kind == "u") <= 32 else np.int64, copy=False)
    if kind == "f":
        return data.astype(np.float32 if bits <= 32 else np.float64, copy=False)
    raise IrglError(f"weights can't be {data.dtype}", hint="give integers or floats")


# Arrays and tables


def _arcs(src: Array, dst: Array, weight: Array | None, directed: bool | None, nodes: int | None) -> InMemory:
    """Edges by arrays of their ends: numbers from 0, or any names, which are then numbered in order."""
    if src.ndim != 1 or src.shape != dst.shape or (weight is not None and weight.shape != src.shape):
        raise IrglError("the arrays of an edge list have one length")
    labels = None
    if not len(src) or (src.dtype.kind in "iu" and dst.dtype.kind in "iu"):
        src, dst = src.astype(np.int64), dst.astype(np.int64)
        low = int(min(src.min(), dst.min())) if len(src) else 0
        if low < 0:
            raise IrglError(f"there is no node {low}", hint="nodes are numbered from 0")
        found = compact_ids(src, dst, compact=False, file="<arrays>")
        if nodes is not None and nodes < found.num_nodes:
            raise IrglError(f"an edge names node {found.num_nodes - 1}, and there are {nodes} nodes")
        found = replace(found, num_nodes=found.num_nodes if nodes is None else nodes)
    else:
        names, places = np.unique(np.concatenate([src, dst]), return_inverse=True)
        labels = names.tolist()
        found = Arcs(len(labels), places[: len(src)], places[len(src) :])
    found.weight = None if weight is None else _number(weight)
    found.mirrored = directed is False
    return InMemory(build(found, "<arrays>"), labels)


def _rows(given: Any, directed: bool | None, nodes: int | None) -> InMemory:
    """Edges one by one: rows of two ends, or of two ends and a weight."""
    widths = {len(row) for row in given} if isinstance(given, list) else {given.shape[1]}
    if not len(given):
        widths = {2}
    if widths not in ({2}, {3}):
        raise IrglError("an edge is two nodes, or two nodes and a weight", hint=_HINT)
    width = widths.pop()
    columns = [np.asarray([row[k] for row in given]) if isinstance(given, list) else given[:, k] for k in range(width)]
    return _arcs(columns[0], columns[1], columns[2] if width == 3 else None, directed, nodes)


def _columns(given: Any) -> list[str] | None:
    """The names of a table's columns (pandas, Polars, Arrow, a dict of arrays); None for what is no table."""
    if isinstance(given, Mapping):
        return [str(name) for name in given]
    names = getattr(given, "column_names", None)
    names = getattr(given, "columns", None) if names is None else names
    return None if names is None or not hasattr(given, "__getitem__") else [str(name) for name in names]


def _table(given: Any, names: list[str], weight: str | None, directed: bool | None, nodes: int | None) -> InMemory:
    def column(wanted: tuple[str, ...], place: int | None) -> Array | None:
        found = next((n for n in names if n.lower() in wanted), None)
        if found is None and place is not None and place < len(names):
            found = names[place]
        return None if found is None else _host(given[found])

    src, dst = column(SOURCES, 0), column(TARGETS, 1)
    if src is None or dst is None:
        raise IrglError("a table of edges has a column for each end", hint=f"its columns: {', '.join(names)}")
    if weight is not None and weight not in names:
        raise IrglError(f"the table has no column '{weight}'", hint=f"its columns: {', '.join(names)}")
    of = column((weight.lower(),) if weight is not None else WEIGHTS, None)
    return _arcs(src, dst, of, directed, nodes)


# NetworkX


def _networkx(given: Any, weight: str) -> InMemory:
    """A NetworkX graph: its nodes in their order, which results keep; edges without a weight have 1."""
    labels = list(given)
    places = {label: i for i, label in enumerate(labels)}
    directed = bool(given.is_directed())
    ends = [(places[u], places[v], w) for u, v, w in given.edges(data=weight, default=1)]
    count = len(ends)
    src = np.fromiter((e[0] for e in ends), np.int64, count)
    dst = np.fromiter((e[1] for e in ends), np.int64, count)
    weights = np.asarray([e[2] for e in ends]) if count else np.empty(0, np.int64)
    if weights.dtype.kind not in "biuf":
        raise IrglError(f"the weights '{weight}' are no numbers", hint="name another attribute: weight=...")
    loops = src == dst
    if not directed:  # both arcs of every edge, a loop once
        src, dst = np.concatenate([src, dst[~loops]]), np.concatenate([dst, src[~loops]])
        weights = np.concatenate([weights, weights[~loops]])
    graph = build(Arcs(len(labels), src, dst, _number(weights)), "<networkx>", directed=directed)
    numbered = all(type(label) is int and label == i for i, label in enumerate(labels))
    return InMemory(graph, None if numbered else labels)
