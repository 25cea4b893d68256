"""A graph's edges in the forms that a plan wants: built once, kept with the graph and in the cache on disk."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgl.forms.find import form
from irgl.forms.form import OWN_ARRAYS, Built, Rows
from irgl.rt.forms import store
from irgl.rt.forms.native import native
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import FormNeed

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Placed:
    """A form of a graph as a call takes it. edge: of each place its edge among the rows, None: the places are those.

    weights: of each place, as the program's type; None where none are wanted. ms: what building it took, this time.
    """

    need: FormNeed
    built: Built
    edge: Array | None
    weights: Array | None
    ms: float

    @property
    def bytes(self) -> int:
        """What it takes in memory, with what lies beside it."""
        beside = (self.edge, self.weights)
        return sum(a.nbytes for a in self.built.arrays) + sum(a.nbytes for a in beside if a is not None)


class Told(NamedTuple):
    """What is told of a form that a run took. graph: the parameter; edges: out, in; bytes, ms: as of Placed."""

    graph: str
    edges: str
    format: str
    bytes: int
    ms: float


def told(forms: Mapping[str, Sequence[Placed]]) -> tuple[Told, ...]:
    """The forms of a call, by graph parameter."""
    return tuple(Told(name, p.need.edges, p.need.form, p.bytes, p.ms) for name, found in forms.items() for p in found)


def rows_of(graph: Graph, edges: str, part: int = 0) -> tuple[Rows, Array | None]:
    """The rows of the graph's out- or in-edges, and the number of each edge; None: its place."""
    if edges == "out":
        return Rows(graph.row, graph.dst, part), None
    if not graph.directed:
        return Rows(graph.row, graph.dst, part), None if graph.weight is None else graph.transpose().in_edge
    t = graph.transpose()
    return Rows(t.in_row, t.in_src, part), t.in_edge


def placed(graph: Graph, needs: Sequence[FormNeed], weights: Any) -> list[Placed]:
    """The forms that a call needs. weights(dtype name): the graph's as a program's type. O(n + m) each."""
    return [_one(graph, need, weights) for need in needs]


def _one(graph: Graph, need: FormNeed, weights: Any) -> Placed:
    begin = time.perf_counter()
    rows, number = rows_of(graph, need.edges, need.part)
    built = _built(graph, need, rows)
    edge = built.edge if need.numbered else None
    lie = None
    if need.weights:
        given = weights(need.weights)
        lie = given if number is None else given[number]
        if built.edge is not None and len(lie):
            lie = lie[np.maximum(built.edge, 0)]
    return Placed(need, built, edge, lie, (time.perf_counter() - begin) * 1e3)


def _built(graph: Graph, need: FormNeed, rows: Rows) -> Built:
    """The form, as it was built before for the same graph, or now."""
    edges = "out" if not graph.directed else need.edges  # of an undirected graph both are the same
    key = " ".join((edges, need.form, str(need.part), *(f"{name}={value}" for name, value in need.options)))
    known: Built | None = graph.forms.get(key)
    if known is None and graph.entry:
        known = store.find(graph.entry, key, _digest(need.form))
    if known is None:
        tools = native(8 * rows.cols.itemsize, 8 * rows.row.itemsize)
        known = form(need.form).build(rows, dict(need.options), tools)
        assert len(known.arrays) <= OWN_ARRAYS
        if graph.entry:
            store.keep(graph.entry, key, _digest(need.form), known)
    graph.forms[key] = known
    return known


@cache
def _digest(name: str) -> str:
    """Of the code that builds the form, so that none is taken from the cache that an older one made."""
    from irgl.rt.compile.toolchain import headers_digest

    files = Path(str(form(name).build.__code__.co_filename))
    return hashlib.sha256(files.read_bytes() + headers_digest().encode()).hexdigest()
