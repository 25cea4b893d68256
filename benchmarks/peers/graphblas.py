"""python-graphblas on SuiteSparse:GraphBLAS: the formulations of LAGraph, written with its public operations."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import graphblas as gb
import numpy as np
from graphblas import Matrix, Vector, binary, select, semiring

from peers.peer import DAMPING, PR_ITERATIONS, Answer, Job, Peer, hops_answer


class GraphBLAS(Peer):
    name = "graphblas"
    notes = {  # noqa: RUF012
        "sssp": "Bellman-Ford on the changed nodes",
        "pr": "float",
        "cc": "FastSV",
        "tc": "sorted by degree within the time",
    }

    def __init__(self, folder: Path, threads: int) -> None:
        super().__init__(folder, threads)
        gb.ss.config["nthreads"] = threads

    def version(self) -> str:
        return f"{gb.__version__} (SuiteSparse {'.'.join(map(str, gb.ss.about['library_version']))})"

    @cached_property
    def plain(self) -> Any:
        """A bool, every entry the same (kept once)."""
        return Matrix.from_csr(np.asarray(self.row, np.uint64), np.asarray(self.dst, np.uint64), True, ncols=self.nodes)

    @cached_property
    def weighted(self) -> Any:
        return Matrix.from_csr(np.asarray(self.row, np.uint64), np.asarray(self.dst, np.uint64),
                               np.asarray(self.weight), ncols=self.nodes)

    @cached_property
    def degree(self) -> Any:
        return Vector.from_dense(np.diff(self.row).astype(np.int64))

    def bfs(self, source: int) -> Job:
        graph, nodes, arcs = self.plain, self.nodes, len(self.dst)
        degree = self.degree

        def run() -> Any:
            hops = Vector(np.int32, nodes)
            front = Vector(bool, nodes)
            front[source] = True
            step, unseen = 0, arcs
            while front.nvals > 0:
                hops(front.S) << step
                step += 1
                scout = degree.dup(mask=front.S).reduce().get(0) if front.nvals < nodes // 8 else arcs
                unseen -= min(scout, unseen)
                if scout > unseen // 8:  # pull: the unseen look for a parent
                    front(~hops.S, replace=True) << semiring.any_pair(graph @ front)
                else:
                    front(~hops.S, replace=True) << semiring.any_pair(front @ graph)
            return hops

        def answer(hops: Any) -> Answer:
            found = hops.to_coo()[1]
            return hops_answer(found, np.zeros(len(found), np.bool_))

        return run, answer

    def sssp(self, source: int) -> Job:
        graph, nodes = self.weighted, self.nodes

        def run() -> Any:
            length = Vector(np.int32, nodes)
            length[source] = 0
            front = length.dup()
            while front.nvals > 0:
                fresh = semiring.min_plus(front @ graph).new()
                better = Vector(bool, nodes)
                better(fresh.S) << True
                better(binary.ge(fresh & length).new().V) << False
                front = fresh.dup(mask=better.V)
                length(binary.min) << front
            return length

        def answer(length: Any) -> Answer:
            found = length.to_coo()[1]
            return hops_answer(found, np.zeros(len(found), np.bool_))

        return run, answer

    def pr(self) -> Job:
        graph, nodes = self.plain, self.nodes
        degree = self.degree.dup(np.float32)
        linked = select.valuegt(degree, 0).new()
        damped = binary.truediv(linked, np.float32(DAMPING)).new(np.float32)
        dangling = select.valueeq(degree, 0).new()

        def run() -> Any:
            score = Vector(np.float32, nodes)
            score << np.float32(1 / nodes)
            share = Vector(np.float32, nodes)
            for _ in range(PR_ITERATIONS):
                lost = score.dup(mask=dangling.S).reduce().get(0.0)
                share << binary.truediv(score & damped)
                score << np.float32((1 - DAMPING + DAMPING * lost) / nodes)
                score(binary.plus) << semiring.plus_second(graph @ share)
            return score

        return run, lambda score: {"vector": score.to_dense().astype(np.float64)}

    def cc(self) -> Job:
        """FastSV: A. Azad, A. Buluc and Y. Zhang, FastSV: a distributed-memory connected component algorithm, 2020."""
        graph, nodes = self.plain, self.nodes

        def run() -> Any:
            parent = Vector.from_dense(np.arange(nodes, dtype=np.int64))
            grand = parent.dup()
            lowest = parent.dup()
            while True:
                lowest(binary.min) << semiring.min_second(graph @ grand)
                at, low = parent.to_dense(), lowest.to_dense()
                hooked = parent.to_dense()
                np.minimum.at(hooked, at, low)  # hook the parents: duplicates combine by min
                parent = Vector.from_dense(hooked)
                parent(binary.min) << lowest
                parent(binary.min) << grand
                up = parent.to_dense()
                above = up[up]
                if np.array_equal(above, grand.to_dense()):
                    return above
                grand = Vector.from_dense(above)

        return run, lambda found: {"components": len(np.unique(found))}

    def tc(self) -> Job:
        graph, degree = self.plain, np.diff(self.row)

        def run() -> int:
            order = np.argsort(degree, kind="stable")
            ranked = graph[order, order].new()
            lower = select.tril(ranked, -1).new()
            upper = select.triu(ranked, 1).new()
            count = Matrix(np.int64, *lower.shape)
            count(lower.S) << semiring.plus_pair(lower @ upper.T)
            return int(count.reduce_scalar().get(0))

        return run, lambda found: {"triangles": found}

    def bc(self, source: int) -> Job:
        graph, nodes = self.plain, self.nodes

        def run() -> Any:
            trails = Vector(np.float64, nodes)
            trails[source] = 1.0
            front = semiring.plus_first(trails @ graph).new(mask=~trails.S)
            levels = [trails.dup()]
            while front.nvals > 0:
                trails(binary.plus) << front
                levels.append(front.dup())
                front(~trails.S, replace=True) << semiring.plus_first(front @ graph)
            score = Vector(np.float64, nodes)
            score << 1.0
            for at in range(len(levels) - 1, 0, -1):
                part = binary.truediv(score & trails).new(mask=levels[at].S)
                pulled = semiring.plus_second(graph @ part).new(mask=levels[at - 1].S)
                score(binary.plus) << binary.times(pulled & trails)
            return score

        def answer(score: Any) -> Answer:
            found = score.to_dense() - 1.0
            found[source] = 0.0
            return {"vector": found}

        return run, answer


PEER = GraphBLAS
