"""From lists of arcs to compressed sparse rows: width of ids, compaction, symmetry, order."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.graph import Graph, Transpose
from irgl.rt.graphs.native import ids, rows
from irgl.rt.graphs.sorting import offsets_of, rank_values, stable_order, stable_order_by
from irgl.source import IrglError

Array = NDArray[Any]


@dataclass(slots=True)
class Arcs:
    """What a reader found: `src` and `dst` (equal lengths) are dense ids, in file order, and `weight` their weights.

    `mirrored`: each line stands for an edge both ways, and the other way is still to be added.
    """

    num_nodes: int
    src: Array
    dst: Array
    weight: Array | None = None
    mirrored: bool = False
    id_base: int = 0
    node_ids: Array | None = None
    changed: tuple[str, ...] = ()


def memory_limit() -> int:
    """Bytes that one graph may take: the machine's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def check_size(nodes: int, edges: int, file: str) -> None:
    """Refuse counts whose arrays could not be held in memory, before anything is allocated for them."""
    need = 8 * (nodes + 1) + 12 * edges
    if need > memory_limit():
        raise IrglError(
            f"{nodes:,} nodes and {edges:,} edges take {need / 2**30:,.1f} GiB, more than this machine's memory",
            file=file,
        )


def compact_ids(src: Array, dst: Array, compact: bool, file: str, *, own: bool = False) -> Arcs:
    """Number the file ids (non-negative integers) densely.

    Ids that fill 0..n-1 or 1..n keep their place (id_base 0 or 1); others are compacted and listed in node_ids, or,
    not `compact`, stay as they are, ids that occur in no edge being nodes without edges. O(ids + highest id), or a
    sort where the highest id is far above the number of ids. own: the arrays may be changed.
    """
    if not len(src):
        return Arcs(0, src.astype(np.int32), dst.astype(np.int32))
    low, high = int(min(src.min(), dst.min())), int(max(src.max(), dst.max()))
    if not compact:
        check_size(high + 1, len(src), file)
        return Arcs(high + 1, src, dst)
    if high > 8 * len(src) + 1_000_000:
        found, dense = np.unique(np.concatenate([src, dst]), return_inverse=True)
        return Arcs(len(found), dense[: len(src)], dense[len(src) :], node_ids=found)
    seen = np.zeros(high + 1, np.bool_)
    for ends in (src, dst):
        if not ids.mark(ends, seen):
            seen[ends] = True
    count = int(np.count_nonzero(seen))
    if low <= 1 and count == high + 1 - low:
        if not low:
            return Arcs(count, src, dst)
        first, second = (np.subtract(ends, low, out=ends if own else None) for ends in (src, dst))
        return Arcs(count, first, second, id_base=low)
    place = np.cumsum(seen, dtype=src.dtype)
    place -= 1
    first, second = (ends if own and ids.rename(ends, place) else place[ends] for ends in (src, dst))
    return Arcs(count, first, second, node_ids=np.flatnonzero(seen).astype(np.int64, copy=False))


def build(arcs: Arcs, source: str, index_bits: int = 32, directed: bool | None = None) -> Graph:
    """The graph of `arcs`; edges of a node in the order of the list. Mirrored arcs get their missing other half."""
    check_size(arcs.num_nodes, len(arcs.src), source)
    row, dst, weight = _rows(arcs.num_nodes, arcs.src, arcs.dst, arcs.weight, arcs.mirrored)
    node_type, edge_type = index_types(arcs.num_nodes, len(dst), index_bits)
    graph = Graph(
        row.astype(edge_type, copy=False),
        dst.astype(node_type, copy=False),
        weight,
        directed=not arcs.mirrored if directed is None else directed,
        id_base=arcs.id_base,
        node_ids=arcs.node_ids,
        source=source,
        changed=arcs.changed,
    )
    graph.sorted = rows_ascend(graph)
    return graph


def _rows(nodes: int, src: Array, dst: Array, weight: Array | None, mirrored: bool) -> rows.Rows:
    found = rows.made(nodes, src, dst, weight, mirrored=mirrored)
    if found is not None:
        return found
    if mirrored:
        src, dst, weight, _ = symmetric_closure(nodes, src, dst, weight)
    if not is_ascending(src):
        order = stable_order(src, nodes)
        dst = dst[order]
        weight = weight[order] if weight is not None else None
    return rows.Rows(offsets_of(src, nodes), dst, weight)


def index_types(nodes: int, edges: int, index_bits: int) -> tuple[Any, Any]:
    """(type of node ids, type of row offsets): 32 bits unless more are needed or asked for."""
    wide = index_bits == 64
    return (np.int64 if wide or nodes >= 2**31 else np.int32), (np.int64 if wide or edges >= 2**31 else np.int32)


def of_width(graph: Graph, index_bits: int) -> Graph:
    """The graph with ids of the asked width, or wider where that is needed; arrays are shared where they fit."""
    node, edge = index_types(graph.num_nodes, graph.num_edges, index_bits)
    if graph.dst.dtype == node and graph.row.dtype == edge:
        return graph
    out = replace(graph, row=graph.row.astype(edge), dst=graph.dst.astype(node), _transpose=None)
    if graph._transpose is not None:
        in_row, in_src, in_edge = graph._transpose
        out._transpose = Transpose(in_row.astype(edge), in_src.astype(node), in_edge.astype(edge))
    return out


def is_ascending(values: Array) -> bool:
    """Whether no value is below the one before it."""
    size = 1 << 20  # a fall is seldom far
    return all(bool((values[k + 1 : k + 1 + size] >= values[k : k + size][: len(values) - 1 - k]).all())
               for k in range(0, len(values) - 1, size))


def rows_ascend(graph: Graph) -> bool:
    """Whether the targets in every row ascend (parallel edges may tie)."""
    if graph.num_edges < 2:
        return True
    found = rows.ascend(graph.row, graph.dst)
    if found is not None:
        return found
    falls = np.flatnonzero(graph.dst[1:] < graph.dst[:-1]) + 1
    # A fall is allowed only where a new row begins.
    return bool((graph.row[np.searchsorted(graph.row, falls)] == falls).all())


def symmetric_closure(
    nodes: int, src: Array, dst: Array, weight: Array | None
) -> tuple[Array, Array, Array | None, int]:
    """The fewest arcs that hold the given ones and are symmetric: (src, dst, weight, how many were added).

    Arcs u->v and v->u of one weight are the two halves of one edge; with k of them one way and fewer the other way,
    the others are added. Added arcs stand right behind the arc that they mirror, so that the edges of a node keep the
    order of the list. O(nodes + arcs), and a sort of the weights if there are any and some pair occurs both ways.
    """
    missing = without_mirror(nodes, src, dst, weight)
    places = np.flatnonzero(missing)
    if not len(places):
        return src, dst, weight, 0
    if len(places) == len(src):
        doubled = np.repeat(weight, 2) if weight is not None else None
        return np.stack([src, dst], 1).reshape(-1), np.stack([dst, src], 1).reshape(-1), doubled, len(src)
    at = places + np.arange(1, len(places) + 1)
    keep = np.ones(len(src) + len(places), np.bool_)
    keep[at] = False

    def weave(values: Array, added: Array) -> Array:
        out = np.empty(len(keep), values.dtype)
        out[keep] = values
        out[at] = added
        return out

    woven = weave(weight, weight[places]) if weight is not None else None
    return weave(src, dst[places]), weave(dst, src[places]), woven, len(places)


def without_mirror(nodes: int, src: Array, dst: Array, weight: Array | None) -> Array:
    """Which arcs lack their other half, (arcs,) bool. Self-loops lack nothing."""
    found = rows.lacking(nodes, src, dst, weight)
    if found is not None:
        return np.unpackbits(found[0].view(np.uint8), count=len(src), bitorder="little").view(np.bool_)
    up, down = src < dst, src > dst
    if not up.any() or not down.any():
        return np.asarray(up | down)
    low, high = np.minimum(src, dst), np.maximum(src, dst)
    keys = [(low, nodes), (high, nodes)]
    if weight is not None:
        keys.append(rank_values(weight))
    order = stable_order_by([*keys, (down, 2)])
    first = np.zeros(len(src), np.bool_)
    first[:1] = True
    for values, _ in keys:
        ordered = values[order]
        first[1:] |= ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(first)
    sizes = np.diff(np.append(starts, len(src)))
    ups = np.add.reduceat(up[order].astype(np.int64), starts)
    group = np.repeat(np.arange(len(starts)), sizes)
    inside = np.arange(len(src)) - starts[group]
    going_down = down[order]
    rank = np.where(going_down, inside - ups[group], inside)
    partners = np.where(going_down, ups[group], (sizes - ups)[group])
    lacks = (rank >= partners) & (src != dst)[order]
    missing = np.empty(len(src), np.bool_)
    missing[order] = lacks
    return missing


def lacks_reverse(graph: Graph) -> bool:
    """Whether some arc of the graph has no reverse of the same weight."""
    return bool(without_mirror(graph.num_nodes, graph.sources(), graph.dst, graph.weight).any())

