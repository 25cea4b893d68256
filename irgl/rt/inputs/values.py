"""An input's values, one for every node or edge, checked against its declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.inputs.items import ByEnds, ByNode, along, spread
from irgl.rt.manifests import formula as F
from irgl.rt.manifests.manifest import GraphParam, Manifest, Property, inputs
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
_DTYPES = {
    "bool": "bool", "int": "int32", "long": "int64", "int8": "int8", "int16": "int16", "uint8": "uint8",
    "uint16": "uint16", "uint32": "uint32", "uint64": "uint64", "float": "float32", "double": "float64",
    "node": "int64",
}  # fmt: skip


def bound(manifest: Manifest, graphs: Mapping[str, Graph], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of every input, in the order of its graph's nodes or edges; nodes as dense ids (-1: NONE).

    given: by name, an array in that order, or values by node or by an edge's ends; a node among values is the file's
    id. An array of the right type is the result itself. Raises IrglError for an input without values, and for values
    that don't fit.
    """
    return {name: _bound(manifest, g, p, graphs[g.name], given.get(name))
            for name, (g, p) in inputs(manifest).items()}  # fmt: skip


def _bound(manifest: Manifest, g: GraphParam, p: Property, graph: Graph, given: Any) -> Any:
    count = graph.num_nodes if p.owner == "node" else graph.num_edges
    dtype = np.dtype(_DTYPES[p.type])
    rest = None if p.default is None else F.value(p.default, F.Scope({}, {}), f"the first value of `{p.name}`")
    match given:
        case None if p.axis is not None:
            return _coordinates(g, p, graph)
        case None if rest is None:
            what = f"{p.length} {p.type} values" if p.length else f"a {p.type}"
            raise IrglError(f"{manifest.program} needs values for `{p.name}`: {what} for every {p.owner}",
                            hint=f"give {p.name}=array, or --{p.name} FILE.npy")
        case None:
            return np.full(p.shape(count), rest, dtype)
        case ByNode() if p.owner == "node":
            if tuple(given.values.shape[1:]) != p.shape(0)[1:]:
                raise IrglError(f"`{p.name}` is given values of the shape {tuple(given.values.shape[1:])} by node",
                                hint=f"give {_wanted(p, count)}")
            return spread(p.name, typed(p, given.values, graph), given.nodes, graph, rest)
        case ByEnds() if p.owner == "edge":
            return along(p.name, typed(p, given.values, graph), given, graph, rest)
        case ByNode() | ByEnds():
            of = "nodes" if isinstance(given, ByNode) else "edges"
            raise IrglError(f"`{p.name}` is an input of {p.owner}s, and the values given are by {of}",
                            hint=f"give {_wanted(p, count)}")
        case _:
            if p.owner == "edge":
                _refuse_changed(p, graph)
            shape = tuple(given.shape)
            if shape != p.shape(count):
                raise IrglError(f"`{p.name}` has the shape {shape}: the graph `{g.name}` has {count} {p.owner}s, "
                                f"so that it takes {p.shape(count)}", hint=f"give {_wanted(p, count)}")
            return typed(p, given, graph)


def _coordinates(g: GraphParam, p: Property, graph: Graph) -> Any:
    if graph.coordinates is None:
        raise IrglError(f"`{p.name}` begins as coordinate({p.axis}), and the graph `{g.name}` has no coordinates",
                        hint=f"give --coordinates FILE, or {p.name}=array")
    return np.ascontiguousarray(graph.coordinates[:, p.axis], np.dtype(_DTYPES[p.type]))


def _wanted(p: Property, count: int) -> str:
    if p.length:
        return f"an array of {count} rows of {p.length} values, or rows by node"
    if p.owner == "node":
        return f"an array of {count} values, or values by node"
    return f"an array of {count} values in the order of edge results, or sources, targets and values"


def _refuse_changed(p: Property, graph: Graph) -> None:
    """An array says nothing of edges that were added, dropped or moved for the program's sake."""
    changed = [words for words in graph.changed if not words.startswith(("cast ", "dropped the weights"))]
    if changed:
        raise IrglError(f"`{p.name}` is an array, and the program has other edges than the graph that was given: "
                        f"{changed[0]}", hint="give sources, targets and values")


def typed(p: Property, given: Any, graph: Graph) -> Any:
    """Values as the input's type; the very array where it has that. Raises IrglError for one that doesn't fit."""
    dtype = np.dtype(_DTYPES[p.type])
    if given.dtype.kind not in "biuf":
        raise IrglError(f"`{p.name}` takes {p.type} values, and the values given are {given.dtype}",
                        hint=f"convert them: .astype({dtype.name!r})")
    if p.type == "node":
        return _nodes(p, given, graph)
    if given.dtype == dtype:
        return given
    array: Array = given if isinstance(given, np.ndarray) else given.get()
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            found = array.astype(dtype)
        _refuse(p, array, np.isinf(found) & np.isfinite(array))
        return found
    if array.dtype.kind == "f":
        _refuse(p, array, ~np.isfinite(array))
    low, high = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    if array.dtype.kind == "f":  # the largest integers are no floats: 2.0**63 is none of int64's
        _refuse(p, array, (array != np.floor(array)) | (array < low) | (array >= float(high) + (high < 2**53)))
    elif array.dtype.kind != "b" and len(array):
        least, most = int(array.min()), int(array.max())
        if least < low:
            _refuse(p, array, array == least)
        if most > high:
            _refuse(p, array, array == most)
    return array.astype(dtype)


def _nodes(p: Property, given: Any, graph: Graph) -> Array:
    array: Array = given if isinstance(given, np.ndarray) else given.get()
    if array.dtype.kind == "f":
        _refuse(p, array, ~np.isfinite(array))
        _refuse(p, array, array != np.floor(array))
    ids = array.astype(np.int64)
    found = dense(graph, ids)
    _refuse(p, array, (found < 0) & (ids != -1), f"is no node of the graph: {graph.range_text()}; -1 is NONE")
    return found


def dense(graph: Graph, ids: Array) -> Array:
    """The numbers of nodes by the file's ids; -1 where the graph has none of that id."""
    if graph.node_ids is None:
        numbers = ids.astype(np.int64) - graph.id_base
        return np.where((numbers >= 0) & (numbers < graph.num_nodes), numbers, -1)
    if graph.num_nodes == 0:
        return np.full(len(ids), -1, np.int64)
    places = np.minimum(np.searchsorted(graph.node_ids, ids), graph.num_nodes - 1)
    return np.where(graph.node_ids[places] == ids, places, -1).astype(np.int64)


def _refuse(p: Property, array: Array, wrong: Array, why: str = "") -> None:
    if wrong.any():
        at = np.unravel_index(int(wrong.argmax()), wrong.shape)
        value = array[at].item()
        place = ", ".join(str(int(i)) for i in at)
        raise IrglError(f"`{p.name}` takes {p.type} values: value {place} is {value}, which "
                        + (why or f"{'is' if value != value else 'fits'} no {p.type}"),
                        hint="mend the value, or declare the input with another type")  # fmt: skip


def told(items: Sequence[Any]) -> str:
    """The first three of some items, and how many more there are."""
    more = f" and {len(items) - 3} more" if len(items) > 3 else ""
    return ", ".join(str(i) for i in items[:3]) + more
