"""A graph in memory: compressed sparse rows, the way back to the ids of its file, and its transpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.kept.sample import places
from irgl.rt.graphs.native import rows
from irgl.rt.graphs.sorting import offsets_of, rank_values, repeat_rows, stable_order, stable_order_by
from irgl.source import IrglError

Array = NDArray[Any]


@dataclass(slots=True)
class Transpose:
    """In-edges: those of node v are in_row[v]..in_row[v+1]; in_src their source, in_edge their number in the CSR.

    `in_row` (num_nodes+1) and `in_edge` (num_edges) have the dtype of `Graph.row`, `in_src` (num_edges) that of `dst`.
    """

    in_row: Array
    in_src: Array
    in_edge: Array

    def __iter__(self) -> Iterator[Array]:
        return iter((self.in_row, self.in_src, self.in_edge))


@dataclass(slots=True)
class Graph:
    """Nodes 0..num_nodes-1 with their out-edges; edge numbers are positions in `dst`.

    `row` (num_nodes+1) int32/int64, `dst` (num_edges) int32/int64, `weight` (num_edges) int32, int64, float32,
    float64 or None. Not `directed`: both arcs of every edge are there (a self-loop once), so in-edges equal
    out-edges. File ids: `node_ids` (ascending int64) or, where it is None, dense id + `id_base`. `changed` says in
    words what the loader did to the file's graph. `sorted`: each row ascends. `simple`: no self-loop, no parallel edge.
    `orders`: the graph as plans have laid it out, by the word of the order (irgl/rt/graphs/order.py). `forms`: what its
    edges were built into (irgl/rt/forms/placed.py). `entry`: its name in the cache on disk. `figures`: what
    irgl/tune/inputs/features.py saw at a look.
    """

    row: Array
    dst: Array
    weight: Array | None = None
    directed: bool = True
    id_base: int = 0
    node_ids: Array | None = None
    source: str = ""
    coordinates: Array | None = None
    changed: tuple[str, ...] = ()
    sorted: bool = False
    simple: bool = False
    _transpose: Transpose | None = field(default=None, repr=False, compare=False)
    orders: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    forms: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    entry: str = field(default="", init=False, repr=False, compare=False)
    figures: Any = field(default=None, init=False, repr=False, compare=False)

    @property
    def num_nodes(self) -> int:
        """n."""
        return len(self.row) - 1

    @property
    def num_edges(self) -> int:
        """m: the number of arcs; an undirected edge is two of them."""
        return len(self.dst)

    @property
    def node_type(self) -> np.dtype[Any]:
        """The type of the nodes in `dst`."""
        found: np.dtype[Any] = self.dst.dtype
        return found

    @property
    def sampled(self) -> Array:
        """The targets of the edges at sample.places, the dtype of `dst`."""
        return self.dst[places(self.num_edges)]

    def some_edges(self) -> tuple[Array, Array]:
        """(src, dst) of a few edges, the same each time, which of a kept graph are known without a look at `dst`.
        O(log num_nodes) each."""
        at = places(self.num_edges).astype(self.row.dtype)  # of row's dtype, or all of row would be converted
        return np.searchsorted(self.row, at, side="right") - 1, self.sampled

    def out_degrees(self) -> Array:
        """The number of each node's out-edges, (num_nodes,), the dtype of `row`. O(num_nodes)."""
        return np.diff(self.row)

    def sources(self) -> Array:
        """The source of every edge, (num_edges,), the dtype of `dst`. O(num_edges)."""
        return repeat_rows(self.row, self.dst.dtype)

    def edges(self) -> tuple[Array, Array, Array | None]:
        """(src, dst, weight) of the edges, each (edges,): all arcs, or of an undirected graph those that do not go up.
        O(num_edges)."""
        src = self.sources()
        if self.directed:
            return src, self.dst, self.weight
        keep = src >= self.dst
        return src[keep], self.dst[keep], self.weight[keep] if self.weight is not None else None

    def file_id(self, node: int) -> int:
        """The file's id of dense node `node`. O(1). Raises IrglError where there is no such node."""
        if not 0 <= node < self.num_nodes:
            raise IrglError(f"there is no node {node}: {self.range_text()}", file=self.source or None)
        return int(self.node_ids[node]) if self.node_ids is not None else int(node) + self.id_base

    def dense_id(self, file_id: int) -> int:
        """The dense node of the file's id; IrglError where the graph has no such node. O(log num_nodes)."""
        if self.node_ids is not None:
            place = int(np.searchsorted(self.node_ids, file_id)) if -(2**63) <= file_id < 2**63 else self.num_nodes
            if place < self.num_nodes and int(self.node_ids[place]) == file_id:
                return place
        elif self.id_base <= file_id < self.id_base + self.num_nodes:
            return int(file_id) - self.id_base
        raise IrglError(f"there is no node {file_id}: {self.range_text()}", file=self.source or None)

    def file_ids(self) -> Array:
        """The file's id of every dense node, (num_nodes,) int64, ascending."""
        if self.node_ids is not None:
            return self.node_ids
        return np.arange(self.id_base, self.id_base + self.num_nodes, dtype=np.int64)

    def range_text(self) -> str:
        """The file's ids in words, for messages."""
        if self.num_nodes == 0:
            return "the graph has no nodes"
        low, high = self.file_id(0), self.file_id(self.num_nodes - 1)
        gaps = " with gaps" if high - low + 1 != self.num_nodes else ""
        return f"its {self.num_nodes} nodes are {low}..{high}{gaps}"

    def transpose(self) -> Transpose:
        """The in-edges, made once. Undirected: `in_row` is `row`, `in_src` is `dst`, `in_edge` the reverse arc.

        In-edges of a node are ordered by source, ties by edge number; undirected, as its edges are. Of parallel
        undirected edges with the same weight the k-th one way is the reverse of the k-th the other way, so `in_edge` is
        its own inverse.
        O(num_nodes + num_edges), by counting sort (D. Knuth, The Art of Computer Programming, volume 3, section 5.2),
        and a sort of the weights where an undirected graph has weighted parallel edges.
        """
        if self._transpose is None:
            self._transpose = self._mirror() if not self.directed else self._reverse()
        return self._transpose

    def _reverse(self) -> Transpose:
        found = rows.transposed(self.row, self.dst)
        if found is not None:
            return Transpose(*found)
        order = stable_order(self.dst, self.num_nodes)
        in_row = offsets_of(self.dst, self.num_nodes).astype(self.row.dtype)
        return Transpose(in_row, self.sources()[order], order.astype(self.row.dtype, copy=False))

    def _mirror(self) -> Transpose:
        nodes = self.num_nodes
        if self.sorted and self.simple:
            # Sorted rows are already in the order (source, target): edge k is the reverse of the k-th by target.
            order = rows.by_target(self.row, self.dst)
            order = stable_order(self.dst, nodes) if order is None else order
            return Transpose(self.row, self.dst, order.astype(self.row.dtype, copy=False))
        reverse = rows.reverses(self.row, self.dst, None if self.simple else self.weight)
        if reverse is not None:
            return Transpose(self.row, self.dst, reverse)
        src = self.sources()
        last = [rank_values(self.weight)] if self.weight is not None and not self.simple else []
        forward = stable_order_by([(src, nodes), (self.dst, nodes), *last])
        backward = stable_order_by([(self.dst, nodes), (src, nodes), *last])
        in_edge = np.empty(self.num_edges, self.row.dtype)
        in_edge[forward] = backward
        return Transpose(self.row, self.dst, in_edge)
