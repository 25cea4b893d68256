"""Properties by the names that the caller's graph has for its nodes: as dicts, arrays, data frames and matrices."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.results.result import Values, on_host, shown
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
FORMS = ("arrays", "pandas", "polars", "scipy")


class Edges(NamedTuple):
    """An edge property: by edge, in the graph's order, the names of its ends, and its value; each (m,)."""

    source: Array
    target: Array
    value: Array


def as_dict(values: Values, graph: Graph, labels: Sequence[Hashable] | None) -> dict[Hashable, Any]:
    """A property by the name of its node, or by the names of its edge's ends: Python's values, nodes in them by name.

    Raises IrglError where an edge has another of the same ends beside it.
    """
    names = _names(graph, labels)
    found = _by_names(values, names)
    if values.owner == "node":
        return dict(zip(names, found, strict=True))
    ends = list(zip((names[v] for v in graph.sources().tolist()), (names[v] for v in graph.dst.tolist()), strict=True))
    by_ends: dict[Hashable, Any] = dict(zip(ends, found, strict=True))
    if len(by_ends) < len(ends):
        (u, v), _ = Counter(ends).most_common(1)[0]
        raise IrglError(f"several edges lead from {u!r} to {v!r}", hint="edges(...) has them all")
    return by_ends


def as_edges(values: Values, name: str, graph: Graph, labels: Sequence[Hashable] | None, form: str) -> Any:
    """An edge property as `form` has it: see irgl.Answer.edges."""
    if form not in FORMS:
        raise IrglError(f"there is no form {form!r} of edges", hint="there are " + ", ".join(FORMS))
    if form == "scipy":
        return _matrix(values, name, graph)
    ids = _array(_names(graph, labels)) if labels is not None else graph.file_ids()
    found = Edges(ids[graph.sources()], ids[graph.dst], _values(values, graph, labels))
    if form == "arrays":
        return found
    taken = name if name not in ("source", "target") else f"{name} (edge)"
    columns = {"source": found.source, "target": found.target, taken: found.value}
    if values.fields:
        del columns[taken]
        columns.update({f"{name}.{field}": found.value[field] for field in found.value.dtype.names or ()})
    return _library(form).DataFrame(columns)


def _names(graph: Graph, labels: Sequence[Hashable] | None) -> list[Hashable]:
    return list(labels) if labels is not None else graph.file_ids().tolist()


def _by_names(values: Values, names: list[Hashable]) -> list[Any]:
    """Python's values, nodes among them by name, None for none."""
    found: list[Any] = on_host(values.array).tolist()
    if values.type == "node":
        return [names[v] if v >= 0 else None for v in found]
    if not values.node_fields:
        return found
    nodes = [t == "node" for t, _ in values.fields]
    return [tuple((names[v] if v >= 0 else None) if is_node else v for v, is_node in zip(row, nodes, strict=True))
            for row in found]


def _values(values: Values, graph: Graph, labels: Sequence[Hashable] | None) -> Array:
    """The values as an array, nodes among them by name (None for none), or by the file's ids (-1)."""
    if labels is None or not (values.type == "node" or values.node_fields):
        return shown(values, graph)
    names, array = _names(graph, labels), on_host(values.array)
    if values.type == "node":
        return _array(_by_names(values, names))
    kinds = [(n, np.dtype(object) if n in values.node_fields else array.dtype[n]) for _, n in values.fields]
    found: Array = np.empty(array.shape, np.dtype(kinds))
    for name, _ in kinds:
        is_node = name in values.node_fields
        found[name] = _array([names[v] if v >= 0 else None for v in array[name]]) if is_node else array[name]
    return found


def _array(values: list[Any]) -> Array:
    """Texts or whole numbers as an array of them; anything else as the objects that it is."""
    for kind in (str, int):
        if values and all(type(v) is kind for v in values):
            found = np.asarray(values)
            if found.dtype.kind in "Ui":
                return found
    return np.fromiter(values, object, len(values))


def _matrix(values: Values, name: str, graph: Graph) -> Any:
    """A CSR matrix in the graph's own order of nodes: entry (i, j) is of the edge from node i to node j."""
    array = shown(values, graph)
    if array.dtype.names is not None:
        raise IrglError(f"`{name}` is a struct, and a matrix holds numbers", hint='take "arrays", or a data frame')
    matrix = _library("scipy.sparse").csr_array((array, graph.dst, graph.row), (graph.num_nodes,) * 2, copy=True)
    matrix.sort_indices()
    if not matrix.has_canonical_format:
        raise IrglError(f"`{name}` is of a graph with parallel edges, and a matrix has one entry for each pair",
                        hint='take "arrays", or a data frame')
    return matrix


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise IrglError(f"{package} is not installed", hint=f"pip install {package}, or take \"arrays\"") from None
