"""Edges and what a program found for them, by the names of their ends: as arrays, a table or a matrix."""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.source import IrglError

Array = np.ndarray[Any, Any]
#: What `Answer.edges` makes of them.
FORMS = ("arrays", "pandas", "polars", "scipy")


class Edges(NamedTuple):
    """Three arrays (m,): the ends of each edge by their names, and its value."""

    src: Array
    dst: Array
    value: Array


def edges_of(graph: Graph, labels: Sequence[Hashable] | None, values: Array) -> Edges:
    """All edges, in the graph's order; of an undirected graph both arcs of each. O(n + m)."""
    if labels is None:
        names = graph.file_ids()
    else:
        names = np.empty(len(labels), object)
        names[:] = labels
    return Edges(names[graph.sources()], names[graph.dst], values)


def formed(found: Edges, graph: Graph, name: str, form: str) -> Any:
    """The edges in one of FORMS. Raises IrglError for another word, a library that is not installed, and a matrix of
    values that are no numbers."""
    if form == "arrays":
        return found
    if form == "scipy":
        if found.value.dtype.kind not in "biuf":
            raise IrglError(f"`{name}` holds no numbers, and a matrix does", hint='ask for "arrays"')
        n = graph.num_nodes
        # An own copy of the indices: whoever sorts the matrix would sort the graph.
        return _library("scipy.sparse", form).csr_array((found.value, graph.dst.copy(), graph.row.copy()), shape=(n, n))
    if form not in FORMS:
        raise IrglError(f"edges as {form!r} are unknown", hint=f"one of {', '.join(FORMS)}")
    fields = found.value.dtype.names
    columns = {name: found.value} if fields is None else {f"{name}.{f}": found.value[f] for f in fields}
    taken = {"src": found.src, "dst": found.dst}
    if clash := next((c for c in columns if c in taken), None):
        raise IrglError(f"a table has a column `{clash}` already, an end of the edge", hint='ask for "arrays"')
    return _library(form, form).DataFrame({n: _column(a) for n, a in {**taken, **columns}.items()})


def _column(array: Array) -> Any:
    """Names as a list: a table's library finds a type for them."""
    return array.tolist() if array.dtype.kind == "O" else array


def by_ends(found: Edges, values: Sequence[Any]) -> dict[tuple[Hashable, Hashable], Any]:
    """Values by (source, end). Raises IrglError where several edges have the same ends."""
    made = dict(zip(zip(found.src.tolist(), found.dst.tolist(), strict=True), values, strict=True))
    if len(made) < len(values):
        raise IrglError("several edges have the same ends, and a dict one value for them", hint="edges() gives all")
    return made


def _library(module: str, form: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise IrglError(f"edges as {form!r} want {form}, which is not installed",
                        hint=f"pip install {form}, or ask for another of {', '.join(FORMS)}") from None
