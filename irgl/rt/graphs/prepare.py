"""From the graph of a file to the graph that a program asks for, and the words that say what had to be changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.build_csr import is_ascending, rows_ascend, symmetric_closure
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.native import rows
from irgl.rt.graphs.readers.words import amount
from irgl.rt.graphs.sorting import offsets_of, repeat_rows, stable_order, stable_order_by
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
    before = None if graph._transpose is None else graph
    del graph  # an array that nobody else holds goes as soon as another takes its place
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
        if before is not None and out.dst is before.dst and out.directed == before.directed:
            out._transpose = before._transpose
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
    nodes, src = graph.num_nodes, graph.sources()
    found = rows.made(nodes, src, graph.dst, graph.weight, mirrored=True)
    if found is not None:
        added = len(found.dst) - len(src)
        out = replace(graph, directed=False) if not added else _of_rows(graph, found, directed=False)
    else:
        src, dst, weight, added = symmetric_closure(nodes, src, graph.dst, graph.weight)
        out = replace(graph, directed=False) if not added else _from_arcs(graph, src, dst, weight, directed=False)
    if added:
        _say(out, "added " + amount(added, "reverse arc"))
    return out


def _from_arcs(graph: Graph, src: Array, dst: Array, weight: Array | None, *, directed: bool) -> Graph:
    """`graph` with other arcs, which keep their order inside each row."""
    if not is_ascending(src):
        order = stable_order(src, graph.num_nodes)
        dst, weight = dst[order], weight[order] if weight is not None else None
    return _of_rows(graph, rows.Rows(offsets_of(src, graph.num_nodes), dst, weight), directed=directed)


def _of_rows(graph: Graph, found: rows.Rows, *, directed: bool) -> Graph:
    """`graph` with other arcs, whose ids are as wide as before."""
    row = found.row.astype(np.int64 if len(found.dst) >= 2**31 else graph.row.dtype, copy=False)
    dst = found.dst.astype(graph.dst.dtype, copy=False)
    out = replace(graph, row=row, dst=dst, weight=found.weight, directed=directed, _transpose=None)
    out.sorted = rows_ascend(out)
    return out


def _sorted(graph: Graph) -> Graph:
    found = rows.in_order(graph.row, graph.dst, graph.weight)
    if found is not None:
        return replace(graph, dst=found[0], weight=found[1], sorted=True)
    src = graph.sources()
    order = stable_order_by([(src, graph.num_nodes), (graph.dst, graph.num_nodes)])
    weight = graph.weight[order] if graph.weight is not None else None
    return replace(graph, dst=graph.dst[order], weight=weight, sorted=True)


def _simple(graph: Graph, symmetrise: bool) -> Graph:
    """Without self-loops and parallel edges, rows sorted; symmetric as well if asked for. `graph` has them, too."""
    out = replace(graph, simple=True, sorted=True, directed=graph.directed and not symmetrise)
    found = rows.simplified(graph.row, graph.dst, graph.weight)
    one_way, loops = found if found is not None else _one_way(graph)
    del found
    if loops:
        _say(out, "dropped " + amount(loops, "self-loop"))
    merged = graph.num_edges - loops - len(one_way.dst)
    if merged:
        if not graph.directed:
            merged //= 2
        lightest = " keeping the lightest" if graph.weight is not None else ""
        _say(out, "merged " + amount(merged, "parallel edge") + lightest)
    elif not loops and graph.sorted:
        one_way = rows.Rows(graph.row, graph.dst, graph.weight)
    for held in (graph, out):
        held.row, held.dst, held.weight = one_way
    if symmetrise:
        both = _both_ways(one_way)
        if len(both.dst) > len(one_way.dst):
            _say(out, "added " + amount(len(both.dst) - len(one_way.dst), "reverse arc"))
        out.dst, out.weight = both.dst, both.weight
        out.row = both.row.astype(np.int64 if len(both.dst) >= 2**31 else one_way.row.dtype, copy=False)
    return out


def _one_way(graph: Graph) -> tuple[rows.Rows, int]:
    """(Sorted rows without self-loops, of parallel edges the lightest; how many self-loops there were)."""
    src, dst, weight = graph.sources(), graph.dst, graph.weight
    keep = src != dst
    loops = len(src) - int(np.count_nonzero(keep))
    if loops:
        src, dst, weight = src[keep], dst[keep], weight[keep] if weight is not None else None
    src, dst, weight = merge_parallel(graph.num_nodes, src, dst, weight, in_order=graph.sorted)
    return rows.Rows(offsets_of(src, graph.num_nodes).astype(graph.row.dtype, copy=False), dst, weight), loops


def _both_ways(given: rows.Rows) -> rows.Rows:
    """Sorted rows without parallel edges, and the reverse of each; of the two weights of a pair the lighter."""
    found = rows.joined(given)
    if found is not None:
        return found
    nodes = len(given.row) - 1
    src, dst, weight = with_reverse(nodes, repeat_rows(given.row, given.dst.dtype), given.dst, given.weight)
    return rows.Rows(offsets_of(src, nodes), dst, weight)


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
