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

from irgl import forms
from irgl.forms.find import form
from irgl.forms.form import OWN_ARRAYS, Built, Rows
from irgl.rt.compile.toolchain import headers_digest
from irgl.rt.forms import store
from irgl.rt.forms.fitting import fitted
from irgl.rt.forms.native import native
from irgl.rt.forms.store import Kept
from irgl.rt.graphs.graph import Graph
from irgl.rt.manifests.manifest import FormNeed
from irgl.rt.system.memory import free_bytes
from irgl.source import IrglError

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a form that a run had. graph: the parameter; edges: out or in.

    bytes: with what lies beside it, and the copies that the run makes.
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

    weights: of each place, as the program's type; None where none are wanted. copied: bytes that a run takes beside it.
    ms, built_ms: see Told.
    """

    need: FormNeed
    built: Built
    edge: Array | None
    weights: Array | None
    copied: int
    ms: float
    built_ms: float

    def told(self, graph: str) -> Told:
        """What is told of it."""
        beside = [a for a in (self.edge, self.weights) if a is not None]
        size = sum(a.nbytes for a in (*self.built.arrays, *beside)) + self.copied
        return Told(graph, self.need.edges, self.need.form, size, self.ms, self.built_ms)


def rows_of(graph: Graph, edges: str, part: int = 0, *, numbered: bool = True) -> Rows:
    """The rows of the graph's out- or in-edges."""
    if edges == "out" or not graph.directed:
        return Rows(graph.row, graph.dst, part, numbered)
    t = graph.transpose()
    return Rows(t.in_row, t.in_src, part, numbered)


def number_of(graph: Graph, edges: str) -> Array | None:
    """The number of each of those edges among the graph's weights; None: its place in the rows, as good as which is an
    undirected graph's, whose edges weigh the same both ways."""
    return None if edges == "out" or graph.weight is None or not graph.directed else graph.transpose().in_edge


def placed(graph: Graph, needs: Sequence[FormNeed], weights: Callable[[str], Array],
           gpu_cache: int = 0) -> list[Placed]:
    """The forms that a call needs. weights(type): the graph's as a program's type. O(n + m) each. gpu_cache: the bytes
    of the second-level cache of the GPU that is meant, 0: of the usual one.

    Raises IrglError for one that is too large for the memory that is free, before it is built.
    """
    return [_one(graph, fitted(need, gpu_cache), weights) for need in needs]


def _one(graph: Graph, need: FormNeed, weights: Callable[[str], Array]) -> Placed:
    begin = time.perf_counter()
    kept = _kept(graph, need)
    lie = _weights(graph, need, f"{_key(graph, need)} {need.edges} {need.weights}", kept.built, weights)
    edge = kept.built.edge if need.numbered else None
    copied = int(graph.row[-1]) * need.copied
    return Placed(need, kept.built, edge, lie, copied, (time.perf_counter() - begin) * 1e3, kept.ms)


def _weights(graph: Graph, need: FormNeed, key: str, built: Built, weights: Callable[[str], Array]) -> Array | None:
    """The weights in the form's order, kept with the graph."""
    if not need.weights:
        return None
    known: Array | None = graph.forms.get(key)
    if known is None:
        given, number = weights(need.weights), number_of(graph, need.edges)
        known = given if number is None else given[number]
        if built.edge is not None and len(known):
            known = known[np.maximum(built.edge, 0)]
        graph.forms[key] = known
    return known


def too_large(graph: Graph, needs: Sequence[FormNeed]) -> str:
    """Why the forms that a call needs do not all fit into the memory that is free, before any is built; '': they do.

    Those that are kept need none. O(n + m) each.
    """
    missing = [need for need in map(fitted, needs) if _known(graph, need) is None]
    try:
        return _why_large([(need, rows_of(graph, need.edges, need.part)) for need in missing])
    except IrglError as e:  # a form that does not take the graph
        return e.message


def _key(graph: Graph, need: FormNeed) -> str:
    """The name under which a graph keeps a form."""
    edges = "out" if not graph.directed else need.edges  # of an undirected graph both are the same
    return " ".join((edges, need.form, str(need.part), *(f"{name}={value}" for name, value in need.options)))


def _asks(need: FormNeed) -> bool:
    """Is it asked which edge stands at a place?"""
    return need.numbered or bool(need.weights)


def _known(graph: Graph, need: FormNeed) -> Kept | None:
    """The form, where it was built before for the same graph, which takes no rows."""
    key, numbered = _key(graph, need), _asks(need)
    known: Kept | None = graph.forms.get(key)
    if known is not None and numbered and not known.numbered:
        known = None
    if known is None and graph.entry:
        known = store.find(graph.entry, key, _digest(need.form), numbered=numbered)
        if known is not None:
            graph.forms[key] = known
    return known


def _kept(graph: Graph, need: FormNeed) -> Kept:
    """The form, as it was built before for the same graph, or now."""
    try:
        known = _known(graph, need)
        return _built(graph, need) if known is None else known
    except MemoryError:
        raise IrglError(f"there is not enough memory for format={need.form} of the graph's {need.edges}-edges",
                        file=graph.source or None, hint="take a machine with more memory") from None


def _built(graph: Graph, need: FormNeed) -> Kept:
    """The form, built, and kept with the graph and in the cache on disk."""
    rows = rows_of(graph, need.edges, need.part, numbered=_asks(need))
    _refuse_too_large(graph, need, rows)
    begin = time.perf_counter()
    tools = native(8 * rows.cols.itemsize, 8 * rows.row.itemsize)
    built = form(need.form).build(rows, dict(need.options), tools)
    assert len(built.arrays) <= OWN_ARRAYS
    known = Kept(built, (time.perf_counter() - begin) * 1e3, rows.numbered or built.edge is not None)
    key = _key(graph, need)
    if graph.entry:
        store.keep(graph.entry, key, _digest(need.form), known)
    graph.forms[key] = known
    return known


def _refuse_too_large(graph: Graph, need: FormNeed, rows: Rows) -> None:
    """Raises IrglError for a form that is larger than the memory that is free."""
    why = _why_large([(need, rows)])
    if why:
        raise IrglError(why, file=graph.source or None, hint="take format=csr, or a machine with more memory")


def _why_large(missing: Sequence[tuple[FormNeed, Rows]]) -> str:
    """Why forms don't all fit into the memory that is free; '': they do. Exact bytes are asked for where bounds, which
    are known at once, don't fit."""
    free, wanted = free_bytes(), sum(_at_most(need, rows) + _beside(need, rows) for need, rows in missing)
    if free is not None and wanted > free:
        wanted = sum(_size(need, rows) + _beside(need, rows) for need, rows in missing)
    return _told_large([need for need, _ in missing], wanted, free) if free is not None and wanted > free else ""


def _told_large(needs: Sequence[FormNeed], wanted: int, free: int) -> str:
    forms = " and ".join(f"format={need.form} of the graph's {need.edges}-edges" for need in needs)
    return f"{forms} {'takes' if len(needs) == 1 else 'take'} {wanted:,} bytes, of which {free:,} are free"


def _size(need: FormNeed, rows: Rows) -> int:
    return form(need.form).size(rows, dict(need.options))


def _at_most(need: FormNeed, rows: Rows) -> int:
    """No less than _size, and at once where the form has a bound."""
    bound = form(need.form).quick_bound
    return _size(need, rows) if bound is None else bound(rows)


def _beside(need: FormNeed, rows: Rows) -> int:
    """What lies beside a form, at most."""
    return rows.m * ((8 if need.weights else 0) + (rows.row.itemsize if need.numbered else 0) + need.copied)


@cache
def _digest(name: str) -> str:
    """Of the code that builds the form, so that none is taken from the cache that an older one made."""
    code = {Path(forms.__file__).parent, Path(str(form(name).build.__code__.co_filename)).parent}
    files = sorted(path for folder in code for path in folder.glob("*.py"))
    return hashlib.sha256(b"".join(f.read_bytes() for f in files) + headers_digest().encode()).hexdigest()
