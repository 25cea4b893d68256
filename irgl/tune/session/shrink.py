"""A smaller graph on which something still goes wrong: edges are taken away in halves, quarters, eighths."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.sorting import offsets_of, stable_order

Array = NDArray[Any]
#: The finest parts that are tried.
_PARTS = 16


def shrunk(graph: Graph, fails: Callable[[Graph], bool], seconds: float) -> Graph:
    """The smallest graph found in that time of which `fails` holds, `graph` itself where none was."""
    end = time.monotonic() + seconds
    src, dst, weight = graph.edges()
    kept = np.arange(len(src))
    best, parts = graph, 2
    while parts <= _PARTS and len(kept) > 1 and time.monotonic() < end:
        smaller = None
        for without in np.array_split(np.arange(len(kept)), min(parts, len(kept))):
            rest = np.delete(kept, without)
            candidate = _made(graph, src[rest], dst[rest], None if weight is None else weight[rest])
            if time.monotonic() < end and fails(candidate):
                smaller = candidate, rest
                break
        if smaller is None:
            parts *= 2
        else:
            (best, kept), parts = smaller, max(2, parts // 2)
    bare = _without_lonely(best)
    return bare if bare.num_nodes < best.num_nodes and fails(bare) else best


def _made(graph: Graph, src: Array, dst: Array, weight: Array | None) -> Graph:
    """`graph` with these edges alone."""
    if not graph.directed:
        back = src != dst
        src, dst = np.concatenate([src, dst[back]]), np.concatenate([dst, src[back]])
        weight = None if weight is None else np.concatenate([weight, weight[back]])
    order = stable_order(src, graph.num_nodes)
    return replace(graph, row=offsets_of(src[order], graph.num_nodes).astype(graph.row.dtype), dst=dst[order],
                   weight=None if weight is None else weight[order], sorted=False, simple=False,
                   _transpose=None)


def _without_lonely(graph: Graph) -> Graph:
    """Without the nodes that no edge touches; the others keep their ids in the file."""
    src = graph.sources()
    used = np.zeros(graph.num_nodes, np.bool_)
    used[src] = used[graph.dst] = True
    place = np.cumsum(used) - 1
    count = int(used.sum())
    return replace(graph, row=offsets_of(place[src], count).astype(graph.row.dtype),
                   dst=place[graph.dst].astype(graph.dst.dtype), node_ids=graph.file_ids()[used], id_base=0,
                   coordinates=None, _transpose=None)
