"""Graphs that are in memory already, in the shapes that Python's libraries keep them: as irgl's, sharing arrays where
the memory allows.

A library is recognised by the class of what is given; none is imported for that.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from irgl.rt.graphs.build_csr import Arcs, build, compact_ids, of_width
from irgl.rt.graphs.device_graph import DeviceGraph, Lent, Twins
from irgl.rt.graphs.edge_tables import HINT, host, kind_of, library, listed, names_of, numbered, rows, table
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import refuse_empty
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.rt.graphs.readers.words import amount
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
#: In place of an attribute that an edge has not.
_LACKS = object()


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
    _prepared: dict[tuple[Requirements, bool], Graph] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prepared(self, need: Requirements, narrow: bool = False) -> Graph:
        """The graph as a program needs it, made once: O(n + m) for a transpose, O(m log m) at most for sorted rows.

        narrow: with ids of 32 bits, where these are enough; what lies on a GPU stays. Raises IrglError where it can't
        be made: of weights that the program's type can't hold.
        """
        with self._lock:
            if (need, False) not in self._prepared:
                self._prepared[need, False] = self._made(need)
            if (need, narrow) not in self._prepared:
                wide = self._prepared[need, False]
                self._prepared[need, narrow] = wide if isinstance(wide, DeviceGraph) else of_width(wide, 32)
            return self._prepared[need, narrow]

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
        places = self.places()
        if not isinstance(node, Hashable) or node not in places:
            raise IrglError(f"the graph has no node {node!r}")
        return places[node]

    def places(self) -> dict[Hashable, int]:
        """The numbers of all nodes by their names: made once, in O(n). Empty where nodes have none."""
        with self._lock:
            if self._places is None:
                self._places = {label: i for i, label in enumerate(self.labels or ())}
            return self._places

    def __reduce__(self) -> tuple[Any, ...]:
        return InMemory, (self.graph, self.labels)  # what was made of it can be made again


def as_graph(given: Any, *, directed: bool | None = None, weight: str | None = None,
             nodes: int | None = None, allow_empty: bool = False) -> InMemory:  # fmt: skip
    """The graph that `given` holds; see irgl.as_graph."""
    if nodes is not None and (type(nodes) is bool or not hasattr(nodes, "__index__") or int(nodes) < 0):
        raise IrglError(f"nodes={nodes!r}: it takes a whole number")
    named = isinstance(given, str | Path)
    if allow_empty and not named:
        raise IrglError("allow_empty=True is for files", hint="leave it out: a graph in memory may be empty")
    found = _file(str(given), directed, weight, allow_empty) if named else _held(given, directed, weight, nodes)
    if nodes is not None and found.graph.num_nodes != nodes:
        raise IrglError(f"nodes={nodes}: the graph has {amount(found.graph.num_nodes, 'node')}",
                        hint="leave it out: it is for edges whose ends are numbers")  # fmt: skip
    return found


def _file(spec: str, directed: bool | None, weight: str | None, allow_empty: bool) -> InMemory:
    """The graph of a file or a generator, whose nodes are called by the file's ids."""
    from irgl.rt.graphs.load import load  # graphs in memory need none of the readers

    if weight is not None:
        raise IrglError(f"weight={weight!r} names an attribute or a column, and a file has none",
                        hint="leave it out: the file's weights are known")
    graph = load(spec, undirected=directed is False)
    refuse_empty(spec, graph, allow_empty)
    return InMemory(graph)


def _held(given: Any, directed: bool | None, weight: str | None, nodes: int | None) -> InMemory:
    if hasattr(given, "adj") and hasattr(given, "is_directed"):
        return _networkx(given, weight, directed)
    names = None
    if isinstance(given, list) or (isinstance(given, np.ndarray) and given.ndim == 2):
        columns = rows(given)
    elif isinstance(given, tuple) and 2 <= len(given) <= 3:
        columns = host(given[0]), host(given[1]), host(given[2]) if len(given) == 3 else None
    elif isinstance(given, InMemory | Graph) or hasattr(given, "indptr") or hasattr(given, "tocsr"):
        columns = None
    else:
        names, edges = names_of(given), listed(given)
        if names is None and edges is None:
            raise IrglError(f"{kind_of(given)} is no graph", hint=HINT)
        columns = table(given, names, weight) if names is not None else rows(edges)
    if names is None and weight is not None:
        raise IrglError(f"weight={weight!r} names an attribute or a column, and this graph has none",
                        hint="leave it out: its weights are known")
    if columns is not None:
        return _arcs(*columns, directed, nodes)
    if isinstance(given, InMemory):
        mirrored = _mirrored(given.graph, directed)
        return given if mirrored is given.graph else InMemory(mirrored, given.labels)
    return InMemory(_mirrored(given, directed) if isinstance(given, Graph) else _sparse(given, directed))


# SciPy


def _sparse(given: Any, directed: bool | None) -> Graph:
    """A sparse matrix: entry (i, j) is an edge from i to j with that weight. CSR's arrays are shared; CuPy's stay on
    their GPU, where what is asked of them here is worked out."""
    if len(given.shape) != 2:
        raise IrglError(f"an array of shape {given.shape} is no graph", hint="give a matrix: a row for each node")
    matrix = given if getattr(given, "format", "csr") == "csr" else given.tocsr()
    rows, columns = matrix.shape
    if rows != columns:
        raise IrglError(f"a matrix of {rows} rows and {columns} columns is no graph", hint="it has a row for each node")
    on_gpu = library(matrix) == "cupyx"
    row, dst = (a if on_gpu else _index(np.asarray(a)) for a in (matrix.indptr, matrix.indices))
    if len(row) != rows + 1 or int(row[0]) != 0 or int(row[-1]) > len(dst) or (row[1:] < row[:-1]).any():
        raise IrglError("the matrix's indptr does not divide its indices into rows")
    dst = dst[: int(row[-1])]
    # One comparison finds indices that are too large and, as unsigned numbers, those below 0.
    if len(dst) and int(dst.view(np.dtype(f"u{dst.dtype.itemsize}")).max()) >= rows:
        raise IrglError("the matrix's indices name columns that it has not")
    if len(matrix.data) < len(dst):
        raise IrglError(f"the matrix has {len(matrix.data)} values for {len(dst)} indices")
    # Whether its rows are sorted is asked where a program wants that.
    weight = _number(matrix.data[: len(dst)])
    if on_gpu:
        given = {"row": Lent(row), "dst": Lent(dst), "weight": Lent(weight)}
        return _mirrored(DeviceGraph.of(given, lambda: bool(matrix.has_sorted_indices), "<matrix>"), directed)
    return _mirrored(Graph(row, dst, weight, source="<matrix>"), directed)


def _index(values: Array) -> Array:
    """A matrix's indices in a width that graphs have, shared where they are in one."""
    if values.dtype.kind not in "iu":
        raise IrglError(f"the matrix's indices are {values.dtype}, and no whole numbers")
    return values.astype(np.int32 if 8 * values.dtype.itemsize + (values.dtype.kind == "u") <= 32 else np.int64,
                         copy=False)


def _mirrored(graph: Graph, directed: bool | None) -> Graph:
    """`graph`, with the reverse of every edge where it is said not to be directed."""
    if directed is not False or not graph.directed:
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
        if len(src):
            low, high = min(int(src.min()), int(dst.min())), max(int(src.max()), int(dst.max()))
            if low < 0 or high >= 2**63:
                raise IrglError(f"there is no node {low if low < 0 else high}", hint="nodes are numbered from 0")
            if nodes is not None and nodes <= high:
                raise IrglError(f"an edge names node {high}, and there are {nodes} nodes")
        found = compact_ids(src.astype(np.int64), dst.astype(np.int64), compact=False, file="<arrays>")
        found = replace(found, num_nodes=found.num_nodes if nodes is None else int(nodes))
    else:
        labels, places = numbered(src, dst)
        found = Arcs(len(labels), places[: len(src)], places[len(src) :])
    found.weight = None if weight is None else _told(weight)
    found.mirrored = directed is False
    return InMemory(build(found, "<arrays>"), labels)


def _told(weights: Array) -> Array:
    """Weights as one of the types that graphs have. Raises IrglError where one is missing."""
    if weights.dtype.kind == "f" and np.isnan(weights).any():
        raise IrglError(f"edge {int(np.isnan(weights).argmax())} has no weight, or NaN", hint="leave out such edges")
    return _number(weights)


# NetworkX


def _networkx(given: Any, chosen: str | None, directed: bool | None) -> InMemory:
    """A NetworkX graph: its nodes in their order, which results keep; of some edges without a weight these have 1."""
    labels = list(given)
    places = {label: i for i, label in enumerate(labels)}
    weight = "weight" if chosen is None else chosen
    ends = [(places[u], places[v], w) for u, v, w in given.edges(data=weight, default=_LACKS)]
    count = len(ends)
    lacking = sum(e[2] is _LACKS for e in ends)
    if count and lacking == count and chosen is not None:
        raise _no_such_attribute(given, chosen)
    if lacking:
        ends = [(u, v, 1 if w is _LACKS else w) for u, v, w in ends]
    src = np.fromiter((e[0] for e in ends), np.int64, count)
    dst = np.fromiter((e[1] for e in ends), np.int64, count)
    weights = host([e[2] for e in ends]) if count else np.empty(0, np.int64)
    if weights.dtype.kind not in "biuf" or (weights.dtype.kind == "f" and np.isnan(weights).any()):
        u, v, w = next((e for e in ends if not _is_weight(e[2])), ends[0])
        raise IrglError(f"the weights '{weight}' are no numbers",
                        hint=f"edge {labels[u]!r}, {labels[v]!r} has {w!r}: give floats or integers of 64 bits, or "
                             "name another attribute: weight=...")  # fmt: skip
    loops = src == dst
    if not given.is_directed():  # both arcs of every edge, a loop once
        src, dst = np.concatenate([src, dst[~loops]]), np.concatenate([dst, src[~loops]])
        weights = np.concatenate([weights, weights[~loops]])
    arcs = Arcs(len(labels), src, dst, None if count and lacking == count else _number(weights))
    if 0 < lacking < count:
        arcs.changed = (f"gave {amount(lacking, 'edge')} without '{weight}' the weight 1",)
    graph = build(arcs, "<networkx>", directed=bool(given.is_directed()))
    numbers = all(type(label) is int and label == i for i, label in enumerate(labels))
    return InMemory(_mirrored(graph, directed), None if numbers else labels)


def _no_such_attribute(given: Any, weight: str) -> IrglError:
    known = list(dict.fromkeys(str(name) for _, _, data in given.edges(data=True) for name in data))
    near = get_close_matches(weight, known, 1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return IrglError(f"no edge has an attribute '{weight}'",
                     hint=f"{hint}its edges have {', '.join(known)}" if known else "its edges have no attributes")


def _is_weight(value: Any) -> bool:
    whole = isinstance(value, int | np.integer | np.bool_)
    return -(2**63) <= value < 2**63 if whole else isinstance(value, float | np.floating) and value == value
