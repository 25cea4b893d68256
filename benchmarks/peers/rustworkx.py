"""rustworkx: edge weights are Python objects, which its algorithms ask for through a Python call."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import rustworkx as rx

from peers.peer import DAMPING, Job, Peer, hops_answer


class RustworkX(Peer):
    name = "rustworkx"
    notes = {  # noqa: RUF012
        "pr": "directed graph of both arcs, until it changes by 1e-4",
        "tc": "as transitivity",
    }

    def version(self) -> str:
        return str(rx.__version__)

    @cached_property
    def graph(self) -> Any:
        low, high, weight = self.upper()
        graph = rx.PyGraph()
        graph.add_nodes_from(range(self.nodes))
        for at in range(0, len(low), 1 << 20):
            part = slice(at, at + (1 << 20))
            graph.add_edges_from(list(zip(low[part].tolist(), high[part].tolist(), weight[part].tolist(), strict=True)))
        return graph

    @cached_property
    def arcs(self) -> Any:
        graph = rx.PyDiGraph()
        graph.add_nodes_from(range(self.nodes))
        src = np.repeat(np.arange(self.nodes), np.diff(self.row))
        for at in range(0, len(src), 1 << 20):
            part = slice(at, at + (1 << 20))
            graph.add_edges_from_no_data(list(zip(src[part].tolist(), self.dst[part].tolist(), strict=True)))
        return graph

    def bfs(self, source: int) -> Job:
        graph = self.graph

        def answer(layers: Any) -> dict[str, Any]:
            sizes = np.array([len(layer) for layer in layers])
            return {"reached": int(sizes.sum()), "sum": int((sizes * np.arange(len(sizes))).sum())}

        return lambda: rx.graph_bfs_layers(graph, [source]), answer

    def sssp(self, source: int) -> Job:
        graph = self.graph

        def answer(found: Any) -> dict[str, Any]:
            lengths = np.fromiter(found.values(), np.float64)  # the source is not among them
            return hops_answer(np.append(lengths, 0), np.zeros(len(lengths) + 1, np.bool_))

        return lambda: rx.graph_dijkstra_shortest_path_lengths(graph, source, float), answer

    def pr(self) -> Job:
        graph = self.arcs

        def answer(found: Any) -> dict[str, Any]:
            return {"vector": np.fromiter(found.values(), np.float64)}

        return lambda: rx.pagerank(graph, alpha=DAMPING, tol=1e-4 / self.nodes), answer

    def cc(self) -> Job:
        graph = self.graph
        return lambda: rx.number_connected_components(graph), lambda found: {"components": found}

    def tc(self) -> Job:
        graph, degree = self.graph, np.diff(self.row).astype(np.float64)
        wedges = float((degree * (degree - 1)).sum()) / 2
        return lambda: rx.graph_transitivity(graph), lambda found: {"triangles": round(found * wedges / 3)}

    def mst(self) -> Job:
        graph = self.graph
        return (lambda: rx.minimum_spanning_edges(graph, float),
                lambda edges: {"weight": sum(w for _, _, w in edges)})

    def kcore(self) -> Job:
        graph = self.graph
        return (lambda: rx.core_number(graph),
                lambda found: {"largest": max(found.values()), "sum": sum(found.values())})


PEER = RustworkX
