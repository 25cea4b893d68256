"""Inputs as Python's libraries keep them: arrays, Series, dicts by name, attributes, columns, sparse matrices."""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.in_memory import InMemory, as_graph
from irgl.rt.inputs.items import ByEnds, ByNode
from irgl.rt.inputs.values import dense, told
from irgl.rt.manifests.manifest import Property
from irgl.source import IrglError

Array = np.ndarray[Any, Any]


def from_python(p: Property, value: Any, graph: Graph, memory: InMemory | None, held: Any) -> Any:
    """A value for `irgl.rt.inputs.values.bound`. memory, held: the graph as irgl keeps it, and as it was given.

    Raises IrglError for what is of no shape that inputs have, and for names that the graph lacks.
    """
    names = Names(p, graph, memory)
    if isinstance(value, str):
        return _attribute(names, value, held)
    if hasattr(value, "to_dict") and hasattr(value, "index") and names.labelled:  # a Series, by its index
        value = value.to_dict()
    if isinstance(value, Mapping):
        return names.by_node(value.items()) if p.owner == "node" else names.by_ends(
            (*_pair(p, ends), v) for ends, v in value.items())  # fmt: skip
    if hasattr(value, "tocoo") and p.owner == "edge":
        found = value.tocoo()
        if found.shape != (graph.num_nodes, graph.num_nodes):
            raise IrglError(f"`{p.name}` is a matrix of shape {found.shape}: the graph has {graph.num_nodes} nodes",
                            hint="give a matrix of a row and a column for every node")
        return ByEnds(*(np.asarray(a) for a in (found.row, found.col, found.data)))
    if p.owner == "edge" and isinstance(value, tuple) and len(value) == 3 and all(map(_is_list, value)):
        src, dst, values = (_array(p, a) for a in value)
        if not src.shape == dst.shape == values.shape or src.ndim != 1:
            raise IrglError(f"`{p.name}` has sources, targets and values of the shapes {src.shape}, {dst.shape} and "
                            f"{values.shape}", hint="give three arrays of one length")  # fmt: skip
        return ByEnds(names.numbers(src.tolist()), names.numbers(dst.tolist()), names.values(values))
    if hasattr(value, "__cuda_array_interface__"):
        return _cupys(p, value)
    if not _is_list(value):
        raise IrglError(f"`{p.name}` takes a {p.type} for every {p.owner}, and {type(value).__name__} is given",
                        hint="give an array, a dict by name, or the name of an attribute")
    return names.values(_array(p, value))


def _cupys(p: Property, value: Any) -> Any:
    """An array on a GPU, as one of CuPy's over the same memory. Raises IrglError where CuPy is absent."""
    if hasattr(value, "get"):
        return value
    try:
        return importlib.import_module("cupy").asarray(value)
    except ImportError:
        raise IrglError(f"`{p.name}` lies on a GPU, where it can't be reached without CuPy",
                        hint="install CuPy, or bring it to the host: value.cpu()") from None


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple) or hasattr(value, "__array__")


def _pair(p: Property, ends: Any) -> tuple[Any, Any]:
    if not isinstance(ends, tuple) or len(ends) not in (2, 3):
        raise IrglError(f"`{p.name}` is an input of edges, and has a value for {ends!r}",
                        hint="its keys are pairs: (source, target)")
    return ends[0], ends[1]


class Names:
    """The nodes of a graph by their names, or by the file's ids."""

    def __init__(self, p: Property, graph: Graph, memory: InMemory | None) -> None:
        self.p, self.graph, self.memory = p, graph, memory
        self.labelled = memory is not None and memory.labels is not None

    def numbers(self, names: list[Any]) -> Array:
        found, lacking = self.found(names)
        if lacking:
            hint = "leave them out, or add the nodes" if self.labelled else self.graph.range_text()
            raise IrglError(f"`{self.p.name}` has values for nodes that the graph lacks: "
                            f"{told([repr(n) for n in lacking])}", hint=hint)  # fmt: skip
        return found

    def found(self, names: list[Any]) -> tuple[Array, list[Any]]:
        """The number of each node, -1 where there is none, and the names of these."""
        if self.labelled and self.memory is not None:
            places = self.memory.places()
            found = np.array([places.get(n, -1) if isinstance(n, Hashable) else -1 for n in names], np.int64)
        else:
            whole = [n if hasattr(n, "__index__") and not isinstance(n, bool) else None for n in names]
            fits = [n is not None and -(2**63) <= int(n) < 2**63 for n in whole]
            ids = np.array([int(n) if n is not None and ok else 0 for n, ok in zip(whole, fits, strict=True)], np.int64)
            found = np.where(fits, dense(self.graph, ids), -1) if names else ids
        return found, [n for n, at in zip(names, found.tolist(), strict=True) if at < 0]

    def values(self, array: Array) -> Array:
        """Values as they are; nodes by name as their numbers, which labelled graphs have for ids."""
        if self.p.type != "node" or array.dtype.kind in "biuf" or not self.labelled or array.ndim != 1:
            return array
        names = array.tolist()
        none = np.array([n is None for n in names], bool)
        found = np.full(len(names), -1, np.int64)
        found[~none] = self.numbers([n for n in names if n is not None])
        return found

    def by_node(self, items: Iterable[tuple[Any, Any]]) -> ByNode:
        pairs = list(items)
        return ByNode(self.numbers([n for n, _ in pairs]), self.values(self.together([v for _, v in pairs])))

    def together(self, values: list[Any]) -> Array:
        return _array(self.p, values) if values else np.empty(self.p.shape(0))

    def by_ends(self, items: Iterable[tuple[Any, Any, Any]]) -> ByEnds:
        rows = list(items)
        src, dst = (self.numbers([row[k] for row in rows]) for k in (0, 1))
        return ByEnds(src, dst, self.values(self.together([row[2] for row in rows])))


def _array(p: Property, values: Any) -> Array:
    """Raises IrglError where some are rows, or rows of other lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        raise IrglError(f"`{p.name}` is given values of several shapes",
                        hint=f"give {p.length} for each node" if p.length else "give one for each") from None


def _attribute(names: Names, name: str, held: Any) -> ByNode | ByEnds:
    """An attribute of a NetworkX graph, or a column of a table of edges."""
    p = names.p
    if hasattr(held, "adj") and hasattr(held, "is_directed"):
        nodes = [(n, data[name]) for n, data in held.nodes(data=True) if name in data] if p.owner == "node" else []
        edges = [(u, v, data[name]) for u, v, data in held.edges(data=True) if name in data] if not nodes else []
        if not (nodes if p.owner == "node" else edges):
            raise IrglError(f"no {p.owner} of the graph has an attribute {name!r} for `{p.name}`",
                            hint="give the name of one that it has, or a dict")
        return names.by_node(nodes) if p.owner == "node" else names.by_ends(edges)
    if p.owner == "edge" and hasattr(held, "columns"):
        columns = list(getattr(held, "column_names", held.columns))  # PyArrow's `columns` are the arrays
        if name not in columns:
            raise IrglError(f"the table has no column {name!r} for `{p.name}`",
                            hint=f"its columns: {', '.join(map(str, columns))}")
        table = as_graph(held, weight=name, directed=True).graph
        return ByEnds(table.sources(), table.dst, np.asarray(table.weight))
    raise IrglError(f"`{p.name}` is given as {name!r}, the name of an attribute or a column: this graph has none",
                    hint="give an array, or a dict by name")
