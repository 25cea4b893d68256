"""NetworKit."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import networkit as nk
import numpy as np

from peers.peer import DAMPING, PR_ITERATIONS, Job, Peer, hops_answer


class NetworKit(Peer):
    name = "networkit"
    notes = {  # noqa: RUF012
        "bfs": "one thread",
        "sssp": "Dijkstra, one thread",
        "mst": "Kruskal, one thread",
        "tc": "as clustering coefficients",
        "bc": "sources of its own choice",
        "pr": f"at most {PR_ITERATIONS} iterations",
    }

    def __init__(self, folder: Path, threads: int) -> None:
        super().__init__(folder, threads)
        nk.setNumberOfThreads(threads)

    def version(self) -> str:
        return str(nk.__version__)

    @cached_property
    def plain(self) -> Any:
        low, high, _ = self.upper()
        graph = nk.GraphFromCoo((low.astype(np.uint64), high.astype(np.uint64)), n=self.nodes)
        graph.sortEdges()
        return graph

    @cached_property
    def weighted(self) -> Any:
        low, high, weight = self.upper()
        ends = (low.astype(np.uint64), high.astype(np.uint64))
        graph = nk.GraphFromCoo((weight.astype(np.float64), ends), n=self.nodes, weighted=True)
        graph.sortEdges()
        return graph

    def bfs(self, source: int) -> Job:
        graph = self.plain
        return lambda: nk.distance.BFS(graph, source, False).run(), _distances

    def sssp(self, source: int) -> Job:
        graph = self.weighted
        return lambda: nk.distance.Dijkstra(graph, source, False).run(), _distances

    def pr(self) -> Job:
        graph = self.plain

        def run() -> Any:
            made = nk.centrality.PageRank(graph, DAMPING, 1e-12, False, nk.centrality.SinkHandling.DistributeSinks)
            made.maxIterations = PR_ITERATIONS
            return made.run()

        return run, lambda made: {"vector": np.array(made.scores())}

    def cc(self) -> Job:
        # The sequential one is the faster on roads and grids.
        graph, made = self.plain, nk.components
        kind = made.ConnectedComponents if len(self.dst) < 8 * self.nodes else made.ParallelConnectedComponents
        return lambda: kind(graph).run(), lambda made: {"components": made.numberOfComponents()}

    def tc(self) -> Job:
        graph, degree = self.plain, np.diff(self.row).astype(np.float64)

        def count(made: Any) -> dict[str, int]:
            pairs = degree * (degree - 1) / 2
            return {"triangles": round(float((np.array(made.scores()) * pairs).sum()) / 3)}

        return lambda: nk.centrality.LocalClusteringCoefficient(graph, turbo=True).run(), count

    def mst(self) -> Job:
        graph = self.weighted
        return (lambda: nk.graph.KruskalMSF(graph).run(),
                lambda made: {"weight": round(made.getTotalWeight())})

    def mis(self) -> Job:
        graph = self.plain
        return lambda: nk.independentset.Luby().run(graph), lambda inside: {"vector": np.array(inside, np.bool_)}

    def kcore(self) -> Job:
        graph = self.plain
        return (lambda: nk.centrality.CoreDecomposition(graph).run(),
                lambda made: {"largest": round(made.maxCoreNumber()), "sum": round(sum(made.scores()))})

    def bc(self, source: int) -> Job:
        graph = self.plain
        nk.setSeed(source, False)
        return lambda: nk.centrality.EstimateBetweenness(graph, 1, False, True).run(), lambda _: {}


def _distances(made: Any) -> dict[str, Any]:
    found = np.asarray(made.getDistances(True))
    return hops_answer(found, found > 1e300)


PEER = NetworKit
