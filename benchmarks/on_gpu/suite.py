"""What the parts of the GPU suite share: programs, plans, graphs, workers, and the record that they write."""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irgl.frontends.shipped import file_of
from irgl.options import WHOLE_SCHEDULERS
from irgl.rt.graphs.loading import requirements
from on_gpu.pool import Pool, Reply, after, done
from on_gpu.record import Record
from on_gpu.run import TIME_OVER
from on_gpu.specs import CARRIED, INSTEAD, PACK, QUICK, ROOT, SHARED, SPECS
from on_gpu.units import manifest_of

#: The plans of the evaluation; `all` is the plan that irgl takes by itself.
NP, CC, OUTLINE = "np=tb+wp+fg", "cc=auto", "outline=all"
EVALUATED = {"none": "none", "cc": f"none {CC}", "np": f"none {NP}", "outline": f"none {OUTLINE}",
             "cc+np": f"none {CC} {NP}", "all": "default"}
SCHEDULERS = ("serial", "tb", "wp", "fg", "tb+wp", "tb+fg", "wp+fg", "tb+wp+fg", *WHOLE_SCHEDULERS)
LIMIT = 20.0
#: So many judged runs use the GPU at a time: it serves one process after another, each for some milliseconds, and a
#: loop on the host waits for its turn in every round.
TURNS = 3


@dataclass
class Suite:
    """One session. `deadline` is that of the part that runs, `end` that of all (time.monotonic).

    workers: run what is judged; timed: what is timed; builders: nvcc, in the time that others leave; compilers: nvcc
    for files with a main of their own; background: make graphs, makers: meshes.
    """

    given: argparse.Namespace
    record: Record
    scratch: Path
    workers: Pool
    timed: Pool
    builders: Pool
    background: Pool
    makers: Pool
    compilers: ThreadPoolExecutor
    deadline: float = 0.0
    end: float = 0.0
    compiled: dict[Path, Future[Path | str]] = field(default_factory=dict)
    _graphs: dict[str, dict[str, Any]] = field(default_factory=dict)
    _loading: dict[str, Future[str]] = field(default_factory=dict)
    _prepared: dict[tuple[str, str], Future[str]] = field(default_factory=dict)
    _built: dict[tuple[str, tuple[str, ...]], Future[str]] = field(default_factory=dict)

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

    @property
    def turns(self) -> list[str]:
        return [str(self.scratch / f"turn{k}.lock") for k in range(TURNS)]

    @property
    def verdicts(self) -> str:
        return str(self.scratch / "verdicts")

    def programs(self, chosen: Sequence[str] = ()) -> list[str]:
        """The programs asked for: of those `chosen`, or of all."""
        there = [p.stem for p in sorted((ROOT / "programs").glob("*.irgl"))]
        known = [n for n in chosen if n in there] if chosen else there
        return [n for n in known if not self.given.programs or n in self.given.programs.split(",")]

    def takes_mesh(self, program: str) -> bool:
        """Does a program work on a mesh, and not on graphs?"""
        return bool(manifest_of(Path(self.file(program)), "default", self.target).mesh)

    def file(self, program: str) -> str:
        return str(file_of(program))

    def spec(self, name: str) -> str | None:
        """What a graph is made of; None: it is a file, and absent."""
        if self.quick:
            return QUICK[name]
        if name in CARRIED:
            file = SHARED / CARRIED[name]
            places = (PACK / "graphs" / f"{name}.irglg", PACK / "graphs" / file.name, file)
            return next((str(path) for path in places if path.exists()), None)
        return SPECS[name]

    def graphs_of(self, program: str, names: Sequence[str], part: str) -> list[str]:
        """The graphs of these that are there, or others in their place; a word in the record for those that are not."""
        there = [n for n in (INSTEAD.get((program, n), n) for n in names) if self.spec(n) is not None]
        for name in sorted({*names} & {*CARRIED} - {*there}):
            self.record.leave_out(part, f"{name}: not in gpu-pack/graphs, nor ../shared/graphs (make gpu-pack)")
        return there

    def graph_file(self, name: str) -> Path:
        """Its binary form, which programs that are not ours read; there once `graph` has returned."""
        return self.scratch / f"{name}.irglg"

    def start_graph(self, name: str) -> Future[str]:
        """Begins to make a graph, behind what runs; over when `graph` no longer waits."""
        spec = self.spec(name)
        if spec is None:
            return done("")
        if name not in self._loading:
            info: dict[str, Any] = {"spec": spec}
            self._graphs[name] = info
            request = {"do": "graph", "graph": spec, "write": str(self.graph_file(name))}
            pool = self.makers if spec.startswith("points:") else self.background
            self._loading[name] = pool.submit(request, self.end, info.update)
        return self._loading[name]

    def graph(self, name: str, part: str) -> dict[str, Any] | None:
        """{"spec", "nodes", "edges", "source", "source_id"} of a graph (of a mesh, "points" and "triangles" are its
        sizes); None, with a word in the record, without it."""
        if not self.graphs_of("", [name], part):
            return None
        try:
            why = self.start_graph(name).result(timeout=max(1.0, self.left()))
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
        """Makes of a graph what a program asks for, behind what runs; once for all programs that ask for the same."""
        manifest = manifest_of(Path(self.file(program)), "default", self.target)
        key = (name, ";".join(repr(requirements(g)) for g in manifest.graphs))
        if key not in self._prepared:
            request = {"do": "prepare", "graph": self.spec(name), "program": self.file(program), "target": self.target}
            loaded = self.start_graph(name)
            self._prepared[key] = loaded if manifest.mesh or self.quick else after(
                [loaded], lambda: self.background.submit(request, self.end))
        return self._prepared[key]

    def build(self, program: str, plans: Sequence[str], fast: bool = False) -> Future[str]:
        """Builds plans of one block size together, in the time that others leave. Runs will say what can't be."""
        key = (program, tuple(plans))
        if key not in self._built:
            request = {"do": "build", "program": self.file(program), "plans": list(plans), "target": self.target,
                       "fast": fast}
            self._built[key] = self.builders.submit(request, self.end)
        return self._built[key]

    def run(self, pool: Pool, part: str, program: str, plans: Sequence[str], names: Sequence[str],
            told: Callable[[Reply], None], needed: Sequence[Future[str]] = (), **more: Any) -> Future[str]:
        """Runs plans of one block size on graphs, by names, once all is there that this needs. See worker.py.

        more: of the request; `only`, some of the plans; `fast`, how they are built; `values`, of parameters; `repeat`;
        `capacity`, by plan, of lists at first; `limit`, s; `lock`, of what is timed; `turns`, of what is not; `prefix`,
        a tool's words; `verdicts`, a folder for what verifiers say, who are not asked without one.
        """
        until = self.deadline
        needed = [*needed, self.build(program, plans, bool(more.get("fast"))),
                  *(self.prepare(program, n) for n in names)]

        def begin() -> Future[str]:
            graphs = {n: g for n in names if (g := self.graph(n, part)) is not None}
            request = {"do": "run", "program": self.file(program), "plans": list(plans), "only": [], "fast": False,
                       "graphs": graphs, "target": self.target, "values": {}, "repeat": 1, "capacity": {},
                       "limit": LIMIT, "lock": None, "turns": [], "prefix": [], "verdicts": None, "until": until,
                       **more}
            return pool.submit(request, until + 5, told) if graphs else done("")

        return after(needed, begin)

    def wait(self, futures: Sequence[Future[str]], part: str, what: str) -> None:
        """Waits for work until the part's time is over, and says where some of it was not done."""
        wait_for(futures, timeout=max(1.0, self.left() + 10))
        whys = [f.result() if f.done() else TIME_OVER for f in futures]
        for why in sorted({w for w in whys if w}):
            self.record.leave_out(part, f"{sum(w == why for w in whys)} of {len(whys)} {what}: {why}")

    def left(self) -> float:
        return self.deadline - time.monotonic()


@contextmanager
def opened(given: argparse.Namespace, record: Record) -> Iterator[Suite]:
    """A suite with its workers and its scratch folder, which end with it."""
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="irgl-gpu-suite-") as folder:
        scratch = Path(folder)
        (scratch / "verdicts").mkdir()

        def pool(name: str, count: int, nice: int = 0) -> Pool:
            return Pool(1 if given.quick else max(1, count), scratch / name, nice)

        suite = Suite(given, record, scratch, Pool(max(1, cores), scratch / "workers"), pool("timed", 4),
                      Pool(max(1, cores - 2), scratch / "builders", 10), pool("background", 5, 5), pool("makers", 1, 5),
                      ThreadPoolExecutor(2 if given.quick else 6))
        try:
            yield suite
        finally:
            for each in (suite.workers, suite.timed, suite.builders, suite.background, suite.makers):
                each.close()
            suite.compilers.shutdown(wait=False, cancel_futures=True)
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and thread.name.startswith("ThreadPoolExecutor"):
                    thread.join(2.0)
