"""scipy.sparse.csgraph; PageRank as 20 products with the matrix."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy
from scipy.sparse import csr_array, triu
from scipy.sparse.csgraph import breadth_first_order, connected_components, dijkstra, minimum_spanning_tree

from peers.peer import DAMPING, PR_ITERATIONS, Array, Job, Peer, hops_answer


class SciPy(Peer):
    name = "scipy"
    notes = {  # noqa: RUF012
        "bfs": "gives the order only",
        "cc": "as strong components, which are the same here and faster",
        "pr": "written with its sparse product, double",
    }

    def version(self) -> str:
        return scipy.__version__

    @cached_property
    def matrix(self) -> csr_array:
        return csr_array((np.asarray(self.weight, np.float64), np.asarray(self.dst), np.asarray(self.row)),
                         shape=(self.nodes, self.nodes))

    @cached_property
    def ones(self) -> csr_array:
        return csr_array((np.ones(len(self.dst)), self.matrix.indices, self.matrix.indptr), shape=self.matrix.shape)

    @cached_property
    def half(self) -> csr_array:
        return csr_array(triu(self.matrix, 1))

    def bfs(self, source: int) -> Job:
        graph = self.matrix
        return (lambda: breadth_first_order(graph, source, directed=True, return_predecessors=False),
                lambda order: {"reached": len(order)})

    def sssp(self, source: int) -> Job:
        graph = self.matrix
        return (lambda: dijkstra(graph, directed=True, indices=np.array(source)),
                lambda found: hops_answer(found, np.isinf(found)))

    def pr(self) -> Job:
        graph, degree = self.ones, np.diff(self.row).astype(np.float64)
        share = np.divide(1.0, degree, out=np.zeros(self.nodes), where=degree > 0)
        dangling = degree == 0

        def run() -> Array:
            score = np.full(self.nodes, 1.0 / self.nodes)
            for _ in range(PR_ITERATIONS):
                rest = (1 - DAMPING + DAMPING * score[dangling].sum()) / self.nodes
                score = graph @ (score * share) * DAMPING + rest
            return score

        return run, lambda score: {"vector": score}

    def cc(self) -> Job:
        graph = self.ones
        return lambda: connected_components(graph, connection="strong"), lambda found: {"components": int(found[0])}

    def mst(self) -> Job:
        graph = self.half
        return lambda: minimum_spanning_tree(graph), lambda tree: {"weight": int(tree.sum())}


PEER = SciPy
