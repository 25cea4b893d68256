"""What decides between the forms of a graph's edges, in figures: known before any is built."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irgl.forms.find import form, names
from irgl.forms.form import Options, Rows
from irgl.plan import Plan
from irgl.rt.forms.placed import rows_of
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.order import permutation
from irgl.rt.graphs.orders.inside import inside
from irgl.rt.graphs.sorting import inverse_of
from irgl.source import IrglError

Array = NDArray[Any]
#: Clusters and tiles are of so many nodes, as a power of two.
LARGE, SMALL = 16, 8
#: What says nothing of forms.
_DEFAULT = Plan()
#: The orders whose clusters are told beside those of the given one.
_ORDERS = ("degree", "rcm", "community")


def layout(graph: Graph) -> dict[str, Any]:
    """`inside`: by bits of a cluster and by order, the share of edges within clusters on the diagonal; `on_diagonals`:
    of those on diagonals that hold half of their places at least; `mean_run`: edges of a row within a tile; `forms`:
    bytes of the out-edges, and of each. O(edges), and what the orders take."""
    return {"inside": _clusters(graph), "on_diagonals": on_diagonals(graph.sources(), graph.dst, graph.num_nodes),
            "mean_run": mean_run(graph.sources(), graph.dst, LARGE), "forms": sizes(graph, "out")}


class Quick(NamedTuple):
    """What one look at the edges tells, in the order in which the nodes stand: the share of edges inside clusters of
    2^16 nodes, that on diagonals, edges of a row within a tile, and the bytes of the smallest form as a share of
    rows'."""

    inside: float
    on_diagonals: float
    mean_run: float
    packed: float


def quick(graph: Graph) -> Quick:
    """The figures that cost no more than a walk over the edges. O(nodes + edges)."""
    src, dst = graph.sources(), graph.dst
    told = sizes(graph, "out")
    smallest = min(of["bytes"] for of in told.values() if "bytes" in of)
    return Quick(inside(src, dst, LARGE), on_diagonals(src, dst, graph.num_nodes),
                 mean_run(src, dst, LARGE), smallest / told["csr"]["bytes"])


def _clusters(graph: Graph) -> dict[str, dict[str, float]]:
    src = graph.sources()
    found = {bits: {"given": inside(src, graph.dst, bits)} for bits in (LARGE, SMALL)}
    for order in _ORDERS:
        try:
            place = inverse_of(permutation(graph, order))
        except IrglError:  # without a compiler, or for a graph that is too large for it
            continue
        for bits, shares in found.items():
            shares[order] = inside(src, graph.dst, bits, place)
    return {str(1 << bits): shares for bits, shares in found.items()}


def on_diagonals(src: Array, dst: Array, nodes: int) -> float:
    """The share of edges that lie on diagonals with edges at half of their places or more; parallel ones count."""
    if not len(src):
        return 0.0
    held = np.bincount(dst.astype(np.int64) - src + (nodes - 1), minlength=2 * nodes - 1)
    places = nodes - np.abs(np.arange(1 - nodes, nodes))
    return float(held[2 * held >= places].sum() / len(src))


def mean_run(src: Array, dst: Array, bits: int) -> float:
    """How many edges of a row lie within one tile of 2^bits nodes, on average over rows and the tiles they meet."""
    if not len(src):
        return 0.0
    tile = dst >> bits
    ends = src[1:] != src[:-1]
    if np.all((tile[1:] >= tile[:-1]) | ends):
        runs = 1 + int(np.count_nonzero((tile[1:] != tile[:-1]) | ends))
    else:
        tiles = int(tile.max()) + 1
        runs = _different(src.astype(np.int64) * tiles + tile, (int(src.max()) + 1) * tiles)
    return len(src) / runs


def _different(values: Array, limit: int) -> int:
    """How many different numbers there are, all below `limit`."""
    if limit > 16 * len(values):
        return len(np.unique(values))
    seen = np.zeros(limit, np.bool_)
    seen[values] = True
    return int(np.count_nonzero(seen))


def sizes(graph: Graph, edges: str, plan: Plan = _DEFAULT) -> dict[str, dict[str, Any]]:
    """By form, csr first: bytes, and bytes per arc, of the graph's out- or in-edges (`edges`: out, in) under what the
    plan says of forms for all loops; `is_bound`: where it may take less; `refused`: why it does not take the graph."""
    rows = rows_of(graph, edges)
    found = {"csr": _told(rows, rows.row.nbytes + rows.cols.nbytes)}
    for name in names():
        try:
            found[name] = _told(rows, form(name).size(rows, said(name, plan)), form(name).is_bound)
        except IrglError as e:
            found[name] = {"refused": e.message}
    return found


def defaults(name: str) -> Options:
    """A form's options as plans have them that say nothing of them."""
    return said(name, _DEFAULT)


def said(name: str, plan: Plan) -> Options:
    """A form's options as a plan says them for all loops."""
    return {o: plan.text_of(o) for o in form(name).options}


def _told(rows: Rows, count: int, is_bound: bool = False) -> dict[str, Any]:
    return {"bytes": count, "per_arc": count / rows.m if rows.m else 0.0, **({"is_bound": True} if is_bound else {})}
