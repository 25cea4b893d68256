"""What a peer is: a library with a graph already built, and for each algorithm that it has a timed call."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from graphs import arrays_of
from numpy.typing import NDArray

Array = NDArray[Any]
#: A scalar by name; the key "vector" holds an array over the nodes, which the driver compares or checks by itself.
Answer = dict[str, Any]
#: What is timed, and what makes an answer of its result, which is not timed.
Job = tuple[Callable[[], Any], Callable[[Any], Answer]]
ALGORITHMS = ("bfs", "sssp", "pr", "cc", "tc", "bc", "mst", "mis", "kcore")
#: These start from a node, and are timed from each source of the graph.
FROM_SOURCE = ("bfs", "sssp", "bc")
PR_ITERATIONS = 20
DAMPING = 0.85


class Peer:
    """A library. A method named after an algorithm (with a source, if it starts from one) gives its Job; graphs are
    built by cached properties that the method touches before it returns, so that building is never timed."""

    name = ""
    #: Words for the table: what differs from the plain task, by algorithm.
    notes: dict[str, str] = {}  # noqa: RUF012 - each peer has its own, none writes to it

    def __init__(self, folder: Path, threads: int) -> None:
        self.folder = folder
        self.threads = threads
        self.row, self.dst, self.weight = arrays_of(folder)
        self.nodes = len(self.row) - 1

    def version(self) -> str:
        raise NotImplementedError

    def job(self, algorithm: str, source: int | None) -> Job | None:
        """The job, or None where the library lacks the algorithm."""
        make = getattr(self, algorithm, None)
        if make is None:
            return None
        job: Job = make() if source is None else make(source)
        return job

    def times(self, job: Job, trials: int) -> tuple[list[float], Any]:
        """The milliseconds of each of `trials` runs, and the result of the last."""
        found, result = [], None
        for _ in range(trials):
            result = None
            gc.collect()
            gc.disable()
            begin = time.perf_counter()
            result = job[0]()
            found.append((time.perf_counter() - begin) * 1e3)
            gc.enable()
        return found, result

    def upper(self) -> tuple[Array, Array, Array]:
        """Each edge once: (lower ends, upper ends, weights)."""
        src = np.repeat(np.arange(self.nodes, dtype=np.int32), np.diff(self.row))
        keep = src < self.dst
        return src[keep], np.asarray(self.dst[keep]), np.asarray(self.weight[keep])


def hops_answer(hops: Array, unreached: Array) -> Answer:
    """From hop counts and which nodes are not reached."""
    near = np.asarray(hops)[~unreached]
    return {"reached": len(near), "sum": int(near.astype(np.int64).sum())}
