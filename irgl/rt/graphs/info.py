"""A graph in figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.sorting import stable_order_by


def info(graph: Graph, *, components: bool = True) -> dict[str, Any]:
    """What `irglc graph info` shows, of plain Python values. O(nodes + edges).

    `edges` counts arcs where directed, else edges; `parallel_edges` those beyond the first between the same two
    nodes; `components` are weak ones (None unless asked for).
    """
    src = graph.sources()
    loops = int(np.count_nonzero(src == graph.dst))
    arcs = graph.num_edges
    degrees = graph.out_degrees()
    parallel = _parallel(graph, src, loops)
    out: dict[str, Any] = {
        "source": graph.source,
        "nodes": graph.num_nodes,
        "edges": arcs if graph.directed else (arcs + loops) // 2,
        "arcs": arcs,
        "directed": graph.directed,
        "weights": _weights(graph),
        "self_loops": loops,
        "parallel_edges": parallel,
        "sorted": graph.sorted,
        "degree": {
            "min": int(degrees.min()) if len(degrees) else 0,
            "mean": arcs / graph.num_nodes if graph.num_nodes else 0.0,
            "max": int(degrees.max()) if len(degrees) else 0,
        },
        "isolated": _isolated(graph),
        "components": _components(graph) if components else None,
        "ids": [graph.file_id(0), graph.file_id(graph.num_nodes - 1)] if graph.num_nodes else None,
        "id_gaps": graph.node_ids is not None,
        "index_bits": 8 * graph.dst.itemsize,
        "coordinates": graph.coordinates is not None,
        "changed": list(graph.changed),
    }
    return out


def _weights(graph: Graph) -> dict[str, Any] | None:
    if graph.weight is None:
        return None
    low, high = (graph.weight.min().item(), graph.weight.max().item()) if graph.num_edges else (None, None)
    return {"type": graph.weight.dtype.name, "min": low, "max": high}


def _parallel(graph: Graph, src: Any, loops: int) -> int:
    dst = graph.dst
    if not graph.sorted:
        order = stable_order_by([(src, graph.num_nodes), (dst, graph.num_nodes)])
        src, dst = src[order], dst[order]
    same = (src[1:] == src[:-1]) & (dst[1:] == dst[:-1])
    extra = int(np.count_nonzero(same))
    if graph.directed:
        return extra
    extra_loops = int(np.count_nonzero(same & (src[1:] == dst[1:]))) if loops else 0
    return (extra - extra_loops) // 2 + extra_loops


def _isolated(graph: Graph) -> int:
    """Nodes without any edge, in or out."""
    touched = graph.out_degrees() > 0
    touched[graph.dst] = True
    return graph.num_nodes - int(np.count_nonzero(touched))


def _components(graph: Graph) -> int:
    if graph.num_nodes == 0:
        return 0
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(graph.num_edges, np.int8)
    matrix = csr_array((ones, graph.dst, graph.row), shape=(graph.num_nodes, graph.num_nodes))
    count, _ = connected_components(matrix, directed=graph.directed, connection="weak")
    return int(count)
