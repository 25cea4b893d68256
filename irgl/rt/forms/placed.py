"""A graph's edges in the forms that a plan wants: built once, kept with the graph and in the cache on disk."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.forms.find import form
from irgl.forms.form import OWN_ARRAYS, Built, Rows
from irgl.rt.forms import store
from irgl.rt.forms.native import native
from irgl.rt.forms.store import Kept
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import FormNeed
from irgl.rt.system.memory import free_bytes
from irgl.source import IrglError

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a form that a run had. graph: the parameter; edges: out or in; bytes: with what lies beside it.

    ms: what building it, or finding it, took this time; built_ms: what building it took when that was done.
    """

    graph: str
    edges: str
    format: str
    bytes: int
    ms: float
    built_ms: float


@dataclass(frozen=True, slots=True)
class Placed:
    """A form of a graph as a call takes it. edge: of each place its edge among the rows, None: the places are those.

    weights: of each place, as the program's type; None where none are wanted. ms, built_ms: see Told.
    """

    need: FormNeed
    built: Built
    edge: Array | None
    weights: Array | None
    ms: float
    built_ms: float

    def told(self, graph: str) -> Told:
        """What is told of it."""
        beside = [a for a in (self.edge, self.weights) if a is not None]
        size = sum(a.nbytes for a in (*self.built.arrays, *beside))
        return Told(graph, self.need.edges, self.need.form, size, self.ms, self.built_ms)


def rows_of(graph: Graph, edges: str, part: int = 0) -> tuple[Rows, Array | None]:
    """The rows of the graph's out- or in-edges, and the number of each edge; None: its place."""
    if edges == "out":
        return Rows(graph.row, graph.dst, part), None
    if not graph.directed:
        return Rows(graph.row, graph.dst, part), None if graph.weight is None else graph.transpose().in_edge
    t = graph.transpose()
    return Rows(t.in_row, t.in_src, part), t.in_edge


def placed(graph: Graph, needs: Sequence[FormNeed], weights: Callable[[str], Array]) -> list[Placed]:
    """The forms that a call needs. weights(type): the graph's as a program's type. O(n + m) each.

    Raises IrglError for one that is too large for the memory that is free, before it is built.
    """
    return [_one(graph, need, weights) for need in needs]


def _one(graph: Graph, need: FormNeed, weights: Callable[[str], Array]) -> Placed:
    begin = time.perf_counter()
    rows, number = rows_of(graph, need.edges, need.part)
    key, kept = _kept(graph, need, rows)
    lie = _weights(graph, need, f"{key} {need.edges} {need.weights}", kept.built, number, weights)
    edge = kept.built.edge if need.numbered else None
    return Placed(need, kept.built, edge, lie, (time.perf_counter() - begin) * 1e3, kept.ms)


def _weights(graph: Graph, need: FormNeed, key: str, built: Built, number: Array | None,
             weights: Callable[[str], Array]) -> Array | None:
    """The weights in the form's order, kept with the graph."""
    if not need.weights:
        return None
    known: Array | None = graph.forms.get(key)
    if known is None:
        given = weights(need.weights)
        known = given if number is None else given[number]
        if built.edge is not None and len(known):
            known = known[np.maximum(built.edge, 0)]
        graph.forms[key] = known
    return known


def _kept(graph: Graph, need: FormNeed, rows: Rows) -> tuple[str, Kept]:
    """The form, as it was built before for the same graph, or now; and the name under which the graph keeps it."""
    edges = "out" if not graph.directed else need.edges  # of an undirected graph both are the same
    key = " ".join((edges, need.form, str(need.part), *(f"{name}={value}" for name, value in need.options)))
    known: Kept | None = graph.forms.get(key)
    if known is None and graph.entry:
        known = store.find(graph.entry, key, _digest(need.form))
    if known is None:
        _refuse_too_large(graph, need, rows)
        begin = time.perf_counter()
        tools = native(8 * rows.cols.itemsize, 8 * rows.row.itemsize)
        built = form(need.form).build(rows, dict(need.options), tools)
        assert len(built.arrays) <= OWN_ARRAYS
        known = Kept(built, (time.perf_counter() - begin) * 1e3)
        if graph.entry:
            store.keep(graph.entry, key, _digest(need.form), built, known.ms)
    graph.forms[key] = known
    return key, known


def _refuse_too_large(graph: Graph, need: FormNeed, rows: Rows) -> None:
    """Raises IrglError for a form that is larger than the memory that is free."""
    free = free_bytes()
    beside = rows.m * ((8 if need.weights else 0) + (rows.row.itemsize if need.numbered else 0))
    wanted = form(need.form).size(rows, dict(need.options)) + beside
    if free is not None and wanted > free:
        raise IrglError(f"format={need.form} of the graph's {need.edges}-edges takes {wanted:,} bytes, of which "
                        f"{free:,} are free", file=graph.source or None, hint="take format=csr, or a machine with more memory")


@cache
def _digest(name: str) -> str:
    """Of the code that builds the form, so that none is taken from the cache that an older one made."""
    from irgl.rt.compile.toolchain import headers_digest

    files = Path(str(form(name).build.__code__.co_filename))
    return hashlib.sha256(files.read_bytes() + headers_digest().encode()).hexdigest()
