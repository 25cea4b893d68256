"""From the graph of a file to the graph that a program asks for, and the words that say what had to be changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import is_ascending, rows_ascend, symmetric_closure
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.readers.words import amount
from irgl.rt.graphs.sorting import offsets_of, stable_order, stable_order_by
from irgl.source import IrglError

Array = NDArray[Any]
WEIGHT_TYPES = ("int32", "int64", "float32", "float64")


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a program's entry declares about its graph.

    `directed`: False symmetrises, None and True take the graph as it is (an undirected one has both arcs anyway).
    `simple`: no self-loops, and of parallel edges the lightest. `weighted`: the weight's type, None drops weights.
    `sorted`: rows ascend. `transpose`: in-edges are wanted; `in_edge`: with their edge numbers, which an undirected
    graph has not at hand (its in-edges are its out-edges).
    """

    directed: bool | None = None
    simple: bool = False
    weighted: str | None = None
    sorted: bool = False
    transpose: bool = False
    in_edge: bool = False


def prepare(graph: Graph, need: Requirements) -> Graph:
    """A graph that meets `need`, sharing arrays with `graph` where nothing changes. O(nodes + edges).

    Its `changed` continues the list of `graph`. IrglError where weights cannot be cast without loss. Weights that are
    not asked for are dropped first: they take no part in what counts as an edge's reverse.
    """
    out = replace(graph, _transpose=None)
    if need.weighted is None:
        out.weight = None
    else:
        out = _weighted(out, need.weighted)
    symmetrise = need.directed is False and out.directed
    if need.simple and not out.simple:
        out = _simple(out, symmetrise)
    elif symmetrise:
        out = _symmetric(out)
    if need.sorted and not out.sorted:
        out = _sorted(out)
    if need.in_edge or (need.transpose and out.directed):
        if graph._transpose is not None and out.dst is graph.dst and out.directed == graph.directed:
            out._transpose = graph._transpose
        out.transpose()
    return out


def _say(graph: Graph, words: str) -> None:
    graph.changed = (*graph.changed, words)


def _weighted(graph: Graph, name: str) -> Graph:
    assert name in WEIGHT_TYPES, f"no such weight type: {name}"
    wanted = np.dtype(name)
    weight = graph.weight
    if weight is None:
        graph.weight = np.ones(graph.num_edges, wanted)
        _say(graph, "gave every edge weight 1")
    elif weight.dtype != wanted:
        graph.weight = cast_weights(weight, wanted, graph.source)
        if not np.can_cast(weight.dtype, wanted):
            _say(graph, f"cast weights {weight.dtype.name} -> {wanted.name}")
    return graph


def cast_weights(weight: Array, wanted: np.dtype[Any], file: str) -> Array:
    """The weights as type `wanted`. IrglError if a value changes; only float32 may round what float64 holds."""
    with np.errstate(invalid="ignore", over="ignore"):
        cast = weight.astype(wanted)
        if wanted.kind == "f" and weight.dtype.kind == "f":
            bad = ~np.isfinite(cast)
        else:
            back = cast.astype(weight.dtype)
            # A value at the very end of a range can come back equal though it did not fit: look at the sign too.
            bad = (back != weight) | ((cast < 0) != (weight < 0))
    if bad.any():
        value = weight[int(np.argmax(bad))]
        raise IrglError(f"the program wants {wanted.name} weights, and the graph has {value}", file=file or None)
    return cast


def _symmetric(graph: Graph) -> Graph:
    nodes = graph.num_nodes
    src, dst, weight, added = symmetric_closure(nodes, graph.sources(), graph.dst, graph.weight)
    out = replace(graph, directed=False) if not added else _from_arcs(graph, src, dst, weight, directed=False)
    if added:
        _say(out, "added " + amount(added, "reverse arc"))
    return out


def _from_arcs(graph: Graph, src: Array, dst: Array, weight: Array | None, *, directed: bool) -> Graph:
    """`graph` with other arcs, which keep their order inside each row."""
    if not is_ascending(src):
        order = stable_order(src, graph.num_nodes)
        dst, weight = dst[order], weight[order] if weight is not None else None
    row = offsets_of(src, graph.num_nodes).astype(np.int64 if len(dst) >= 2**31 else graph.row.dtype)
    out = replace(graph, row=row, dst=dst, weight=weight, directed=directed, _transpose=None)
    out.sorted = rows_ascend(out)
    return out


def _sorted(graph: Graph) -> Graph:
    src = graph.sources()
    order = stable_order_by([(src, graph.num_nodes), (graph.dst, graph.num_nodes)])
    weight = graph.weight[order] if graph.weight is not None else None
    return replace(graph, dst=graph.dst[order], weight=weight, sorted=True)


def _simple(graph: Graph, symmetrise: bool) -> Graph:
    """Without self-loops and parallel edges, rows sorted; symmetric as well if asked for."""
    nodes, src, dst, weight = graph.num_nodes, graph.sources(), graph.dst, graph.weight
    out = replace(graph, simple=True, sorted=True, directed=graph.directed and not symmetrise)
    keep = src != dst
    loops = len(src) - int(np.count_nonzero(keep))
    if loops:
        src, dst, weight = src[keep], dst[keep], weight[keep] if weight is not None else None
        _say(out, "dropped " + amount(loops, "self-loop"))
    before = len(src)
    src, dst, weight = merge_parallel(nodes, src, dst, weight, in_order=graph.sorted)
    if before > len(src):
        merged = before - len(src)
        if not graph.directed:
            merged //= 2
        lightest = " keeping the lightest" if weight is not None else ""
        _say(out, "merged " + amount(merged, "parallel edge") + lightest)
    if symmetrise:
        before = len(src)
        src, dst, weight = with_reverse(nodes, src, dst, weight)
        if len(src) > before:
            _say(out, "added " + amount(len(src) - before, "reverse arc"))
    out.row = offsets_of(src, nodes).astype(np.int64 if len(dst) >= 2**31 else graph.row.dtype)
    out.dst, out.weight = dst, weight
    return out


def with_reverse(nodes: int, src: Array, dst: Array, weight: Array | None) -> tuple[Array, Array, Array | None]:
    """Sorted arcs without parallel ones, and their reverse arcs; of the two weights of a pair the lighter.

    Arcs by source and arcs by target are two ascending runs, which the stable sort (a merge sort) joins in linear time.
    """
    back = stable_order(dst, nodes)
    width = max(1, nodes)
    keys = np.concatenate([src.astype(np.int64) * width + dst, dst[back].astype(np.int64) * width + src[back]])
    kind = src.dtype
    if weight is None:
        keys.sort(kind="stable")
    else:
        order = np.argsort(keys, kind="stable")
        keys, weight = keys[order], np.concatenate([weight, weight[back]])[order]
    first = np.ones(len(keys), np.bool_)
    first[1:] = keys[1:] != keys[:-1]
    if weight is not None and len(keys):
        # A key occurs once or twice, so the weight to compare with stands right behind.
        weight[:-1] = np.where(first[1:], weight[:-1], np.minimum(weight[:-1], weight[1:]))
        weight = weight[first]
    keys = keys[first]
    src = keys // width
    return src.astype(kind), (keys - src * width).astype(kind), weight


def merge_parallel(
    nodes: int, src: Array, dst: Array, weight: Array | None, *, in_order: bool = False
) -> tuple[Array, Array, Array | None]:
    """Arcs sorted by (source, target), of parallel ones the lightest. `in_order`: they are sorted already."""
    if not in_order:
        order = stable_order_by([(src, nodes), (dst, nodes)])
        src, dst, weight = src[order], dst[order], weight[order] if weight is not None else None
    first = np.ones(len(src), np.bool_)
    first[1:] = (src[1:] != src[:-1]) | (dst[1:] != dst[:-1])
    starts = np.flatnonzero(first)
    if len(starts) == len(src):
        return src, dst, weight
    return src[starts], dst[starts], np.minimum.reduceat(weight, starts) if weight is not None else None
