"""python-igraph: all of it runs on one thread."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import igraph
import numpy as np

from peers.peer import DAMPING, Job, Peer, hops_answer


class IGraph(Peer):
    name = "igraph"
    notes = {  # noqa: RUF012
        "pr": "PRPACK, until 1e-10",
        "tc": "as transitivity",
    }

    def version(self) -> str:
        return str(igraph.__version__)

    @cached_property
    def graph(self) -> Any:
        low, high, weight = self.upper()
        graph = igraph.Graph(n=self.nodes, edges=np.stack([low, high], axis=1))
        graph.es["weight"] = weight.tolist()
        return graph

    def bfs(self, source: int) -> Job:
        graph = self.graph

        def answer(found: Any) -> dict[str, Any]:
            starts = np.diff(np.array(found[1]))
            return {"reached": int(starts.sum()), "sum": int((starts * np.arange(len(starts))).sum())}

        return lambda: graph.bfs(source), answer

    def sssp(self, source: int) -> Job:
        graph = self.graph

        def answer(found: Any) -> dict[str, Any]:
            lengths = np.array(found[0])
            return hops_answer(lengths, np.isinf(lengths))

        return lambda: graph.distances(source, weights="weight", algorithm="dijkstra"), answer

    def pr(self) -> Job:
        graph = self.graph
        return lambda: graph.pagerank(damping=DAMPING), lambda found: {"vector": np.array(found)}

    def cc(self) -> Job:
        graph = self.graph
        return lambda: graph.connected_components(), lambda found: {"components": len(found)}

    def tc(self) -> Job:
        graph, degree = self.graph, np.diff(self.row).astype(np.float64)
        wedges = float((degree * (degree - 1)).sum()) / 2
        return lambda: graph.transitivity_undirected(), lambda found: {"triangles": round(found * wedges / 3)}

    def bc(self, source: int) -> Job:
        graph = self.graph
        return (lambda: graph.betweenness(sources=[source], directed=False),
                lambda found: {"vector": np.array(found)})

    def mst(self) -> Job:
        graph = self.graph
        return (lambda: graph.spanning_tree("weight", return_tree=False),
                lambda edges: {"weight": int(sum(graph.es[edges]["weight"]))})

    def kcore(self) -> Job:
        graph = self.graph
        return lambda: graph.coreness(), lambda found: {"largest": max(found), "sum": sum(found)}


PEER = IGraph
