"""What the parts of the GPU suite share: programs, plans, graphs, workers, and the record that they write."""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from gpu_pool import Pool, Reply
from gpu_record import Record
from gpu_run import manifest_of

ROOT = Path(__file__).resolve().parent.parent
PACK = ROOT / "gpu-pack"
_NY = (PACK / "graphs" / "NY.irglg", ROOT.parent / "shared" / "graphs" / "road" / "USA-road-d.NY.gr.gz")
_WEIGHTS = "weights=int,min=1,max=255"
#: By name, the kinds and sizes of the paper's table 6.
SPECS = {
    "rmat16": f"rmat:scale=16,degree=8,{_WEIGHTS}",
    "rmat20": f"rmat:scale=20,degree=8,{_WEIGHTS}",
    "rmat22": f"rmat:scale=22,degree=8,{_WEIGHTS}",
    "r4": f"r4:scale=23,{_WEIGHTS}",
    "grid": f"grid2d:scale=20,{_WEIGHTS}",
    "uniform": f"uniform:scale=20,{_WEIGHTS}",
    "small": f"rmat:scale=10,degree=8,{_WEIGHTS}",
    "lattice": f"grid:size=40x25,{_WEIGHTS}",
    "points": "points:131072",
    "points14": "points:16384",
    "few points": "points:200",
}
QUICK = {
    **dict.fromkeys(("rmat16", "rmat20", "rmat22", "small"), f"rmat:scale=6,degree=4,{_WEIGHTS}"),
    "r4": f"r4:scale=5,{_WEIGHTS}", "uniform": f"uniform:scale=5,degree=3,{_WEIGHTS}",
    **dict.fromkeys(("grid", "lattice", "NY"), f"grid:size=6x5,{_WEIGHTS}"),
    **dict.fromkeys(("points", "points14", "few points"), "points:12"),
}
#: The plans of the evaluation; `all` is the plan that irgl takes by itself.
NP, CC, OUTLINE = "np=wp+fg", "cc=block", "outline=all"
EVALUATED = {"none": "none", "cc": f"none {CC}", "np": f"none {NP}", "outline": f"none {OUTLINE}",
             "cc+np": f"none {CC} {NP}", "all": "default"}
SCHEDULERS = ("serial", "tb", "wp", "fg", "tb+wp", "tb+fg", "wp+fg", "tb+wp+fg")
LIMIT = 20.0


@dataclass
class Suite:
    """One session. `deadline` is that of the part that runs (time.monotonic)."""

    given: argparse.Namespace
    record: Record
    scratch: Path
    workers: Pool
    timed: Pool
    background: Pool
    deadline: float = 0.0
    _graphs: dict[str, dict[str, Any]] = field(default_factory=dict)
    _loading: dict[str, Future[str]] = field(default_factory=dict)

    @property
    def target(self) -> str:
        return str(self.given.target)

    @property
    def quick(self) -> bool:
        return bool(self.given.quick)

    @property
    def simulated(self) -> bool:
        return self.target == "simt"

    @property
    def lock(self) -> str:
        return str(self.scratch / "timed.lock")

    def programs(self, chosen: Sequence[str] = ()) -> list[str]:
        """The programs asked for: of those `chosen`, or of all."""
        there = [p.stem for p in sorted((ROOT / "programs").glob("*.irgl"))]
        known = [n for n in chosen if n in there] if chosen else there
        return [n for n in known if not self.given.programs or n in self.given.programs.split(",")]

    def takes_mesh(self, program: str) -> bool:
        """Does a program work on a mesh, and not on graphs?"""
        return bool(manifest_of(Path(self.file(program)), "default", self.target).mesh)

    def file(self, program: str) -> str:
        return str(ROOT / "programs" / f"{program}.irgl")

    def spec(self, name: str) -> str | None:
        """What a graph is made of; None: it is a file, and absent."""
        if self.quick:
            return QUICK[name]
        if name == "NY":
            return next((str(path) for path in _NY if path.exists()), None)
        return SPECS[name]

    def graph_file(self, name: str) -> Path:
        """Its binary form, which programs that are not ours read; there once `graph` has returned."""
        return self.scratch / f"{name}.irglg"

    def start_graph(self, name: str) -> None:
        """Begins to make a graph, behind what runs."""
        spec = self.spec(name)
        if name in self._loading or spec is None:
            return
        info: dict[str, Any] = {"spec": spec}
        self._graphs[name] = info
        request = {"do": "graph", "graph": spec, "write": str(self.graph_file(name))}
        self._loading[name] = self.background.submit(request, time.monotonic() + 400, info.update)

    def graph(self, name: str, part: str) -> dict[str, Any] | None:
        """{"spec", "nodes", "edges", "source", "source_id"} of a graph (of a mesh, "points" and "triangles" are its
        sizes); None, with a word in the record, without it."""
        if self.spec(name) is None:
            self.record.leave_out(part, f"{name}: not in gpu-pack/graphs, nor ../shared/graphs/road (make gpu-pack)")
            return None
        self.start_graph(name)
        try:
            why = self._loading[name].result(timeout=max(1.0, self.deadline - time.monotonic()))
        except TimeoutError:
            why = "it is still being made"
        info = self._graphs[name]
        if why or "error" in info:
            self.record.leave_out(part, f"{name}: {why or info['error']}")
            return None
        shown = {**info, "spec": info.get("made") or (Path(info["spec"]).name if "/" in info["spec"] else info["spec"])}
        self.record.note("graphs", {**self.record.data.get("graphs", {}), name: shown})
        return info

    def prepare(self, program: str, name: str) -> Future[str]:
        """Makes of a graph what a program asks for, behind what runs."""
        self.start_graph(name)
        request = {"do": "prepare", "graph": self.spec(name), "program": self.file(program), "target": self.target}
        return self.background.submit(request, time.monotonic() + 400)

    def request(self, program: str, plans: Sequence[str], graphs: dict[str, dict[str, Any]],
                **more: Any) -> dict[str, Any]:
        """A request to run; see gpu_worker."""
        return {"do": "run", "program": self.file(program), "plans": list(plans), "graphs": graphs,
                "target": self.target, "values": {}, "repeat": 1, "capacity": 0, "limit": LIMIT, "lock": None,
                "prefix": [], "verify": False, "until": self.deadline, **more}

    def build(self, variants: dict[str, Sequence[str]], part: str) -> None:
        """Builds plans of programs, as many at a time as there are workers; one row for each that can't be."""
        def told(program: str, reply: Reply) -> None:
            if "error" in reply:
                self.record.row(part, {"program": program, **reply})

        jobs = [({"do": "build", "program": self.file(p), "plans": [plan], "target": self.target}, p)
                for p, plans in variants.items() for plan in plans]
        self.wait([self.workers.submit(job, self.deadline, partial(told, p)) for job, p in jobs], part, "builds")

    def wait(self, futures: Sequence[Future[str]], part: str, what: str) -> None:
        """Waits for work, and says where some of it was not done."""
        whys = [f.result() for f in futures]
        for why in sorted({w for w in whys if w}):
            self.record.leave_out(part, f"{sum(w == why for w in whys)} of {len(whys)} {what}: {why}")

    def left(self) -> float:
        return self.deadline - time.monotonic()


@contextmanager
def opened(given: argparse.Namespace, record: Record) -> Iterator[Suite]:
    """A suite with its workers and its scratch folder, which end with it."""
    cores = len(os.sched_getaffinity(0))
    pools = [Pool(max(1, cores)), Pool(1 if given.quick else 3), Pool(1 if given.quick else 5)]
    with tempfile.TemporaryDirectory(prefix="irgl-gpu-suite-") as folder:
        try:
            yield Suite(given, record, Path(folder), *pools)
        finally:
            for pool in pools:
                pool.close()
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and thread.name.startswith("ThreadPoolExecutor"):
                    thread.join(2.0)
