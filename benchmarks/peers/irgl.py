"""Our own programs, compiled for the CPU target."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import irgl
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.manifest import Manifest
from irgl.rt.manifests.program import open_program
from irgl.rt.results.result import Result
from irgl.tune.choose.auto import Given, resolve
from irgl.tune.choose.texts import before_graph
from peers.peer import DAMPING, PR_ITERATIONS, Answer, Array, Job, Peer, hops_answer

_PROGRAMS = Path(__file__).resolve().parents[2] / "programs"
#: The program that stands for us, by algorithm; IRGL_BENCH_PROGRAMS="bfs=bfs,cc=cc" takes others.
PROGRAMS = {
    "bfs": "bfs_do", "sssp": "sssp_delta", "pr": "pr_pull", "cc": "cc_afforest", "tc": "tri", "bc": "bc",
    "mst": "mst", "mis": "mis", "kcore": "kcore",
}
PROGRAMS |= dict(p.split("=", 1) for p in os.environ.get("IRGL_BENCH_PROGRAMS", "").split(",") if p)


class Irgl(Peer):
    name = "irgl"

    def __init__(self, folder: Path, threads: int) -> None:
        super().__init__(folder, threads)
        self.notes: dict[str, str] = {}
        self.plans: dict[str, str] = {}  # what they say that the options don't say by themselves, by algorithm

    def version(self) -> str:
        return str(irgl.__version__)

    @cache  # noqa: B019 - one peer lives as long as its process
    def prepared(self, algorithm: str) -> tuple[Manifest, dict[str, Graph], Plan]:
        text = os.environ.get("IRGL_BENCH_PLAN", "default")
        path = _PROGRAMS / f"{PROGRAMS[algorithm]}.irgl"
        manifest = open_program(path, before_graph(text, "cpu"))
        graph = Graph(np.asarray(self.row), np.asarray(self.dst), np.asarray(self.weight), directed=False,
                      sorted=True, simple=True)
        made = {g.name: prepare(graph, requirements(g)) for g in manifest.graphs}
        for g in manifest.graphs:
            if g.transpose and g.in_edge:
                made[g.name].transpose()
        given = Given(made, lambda: bind(manifest, made, {}), None, self.threads)
        chosen = resolve(text, manifest, given, "cpu", lambda plan: open_program(path, plan))
        self.plans[algorithm] = " ".join(w for w in str(chosen.plan).split() if w not in str(Plan()).split())
        return chosen.manifest, made, chosen.plan

    def _job(self, algorithm: str, answer: Any, **given: object) -> Job:
        manifest, graphs, plan = self.prepared(algorithm)
        values = bind(manifest, graphs, given)

        def work(trials: int = 1) -> Outcome:
            return run(manifest, graphs, values, plan, Options(threads=self.threads, repeat=trials))

        def told(outcome: Outcome) -> Answer:
            built = ", ".join(f"{f.format} built in {f.built_ms:.0f} ms" for f in outcome.forms)
            self.notes[algorithm] = "; ".join(word for word in (self.plans[algorithm], built) if word)
            return answer(outcome.result)  # type: ignore[no-any-return]

        return work, told

    def times(self, job: Job, trials: int) -> tuple[list[float], Any]:
        # As `irglc run --repeat`: one call, whose threads stay; the run itself takes the times.
        if trials == 0:
            return [], None
        outcome = job[0](trials)  # type: ignore[call-arg]
        return list(outcome.kernel_ms), outcome

    def bfs(self, source: int) -> Job:
        return self._job("bfs", lambda r: _hops(_only(r, "int")), src=source)

    def sssp(self, source: int) -> Job:
        return self._job("sssp", lambda r: _hops(_only(r, "int")), src=source)

    def pr(self) -> Job:
        return self._job("pr", lambda r: {"vector": _only(r, "double")}, damping=DAMPING, epsilon=0,
                         max_iterations=PR_ITERATIONS)

    def cc(self) -> Job:
        return self._job("cc", lambda r: {"components": r.scalars["components"]})

    def tc(self) -> Job:
        return self._job("tc", lambda r: {"triangles": r.scalars["triangles"]})

    def bc(self, source: int) -> Job:
        return self._job("bc", lambda r: {"vector": r.array("betweenness")}, src=source, sources=1)

    def mst(self) -> Job:
        return self._job("mst", lambda r: {"weight": r.scalars["weight"]})

    def mis(self) -> Job:
        return self._job("mis", lambda r: {"vector": _only(r, "uint8") == 1})

    def kcore(self) -> Job:
        return self._job("kcore", lambda r: {"largest": r.scalars["largest"],
                                             "sum": int(r.array("coreness").astype(np.int64).sum())})


def _only(result: Result, type_name: str) -> Array:
    """The first node property of a type: the answer comes first in every program."""
    return next(v.array for v in result.properties.values() if v.owner == "node" and v.type == type_name)


def _hops(hops: Array) -> Answer:
    return hops_answer(hops, hops == np.iinfo(hops.dtype).max)


PEER = Irgl
