"""A program on a graph: its call, written to a file once, and run under many plans by processes with a time limit."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import struct
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from irgl.plan import Plan
from irgl.rt.call import abi
from irgl.rt.call.bind import bind
from irgl.rt.call.call import Call
from irgl.rt.call.process import CallFile
from irgl.rt.call.run import widths
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.program import open_program
from irgl.rt.meshes.meshes import load_mesh
from irgl.rt.results.result import Result
from irgl.rt.results.verify import verify
from irgl.rt.system import child
from irgl.source import IrglError

TIME_OVER = "the time was over"
_POISON = 0xA5
#: How often a run looks whether it is its turn, s.
_LOOK = 0.001
#: What runs a call's file, within a limit: its exit code, and what was said.
Caller = Callable[[Path, float], tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: its times, its answer in short, and what was counted."""

    ms: list[float]
    scalars: dict[str, Any]
    digest: str
    stats: dict[str, int]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Which program runs on what (a mesh's .ele file for one that takes a mesh). source: the file's id of the node that
    node parameters get; values: others."""

    program: Path
    graph: str
    source: int
    values: Mapping[str, Any]
    repeat: int


class Prepared:
    """The call of a program on a graph, for all plans whose units ask the same of it (worker.py): a pull reads
    in-edges, which a push is not given, and a form of edges takes the place of rows. Else plans change the code alone.
    """

    def __init__(self, inputs: Inputs, target: str, plan: str = "default") -> None:
        self.inputs = inputs
        self.manifest = open_program(inputs.program, Plan.parse(plan, target))
        self.graphs = {g.name: load(inputs.graph, g, Loading()) for g in self.manifest.graphs}
        sources = {p.name: inputs.source for p in self.manifest.params if p.type == "node"}
        known = {k: v for k, v in inputs.values.items() if any(p.name == k for p in self.manifest.params)}
        self.values = bind(self.manifest, self.graphs, {**sources, **known})
        self.bits = widths(self.graphs.values())
        self.mesh = load_mesh(inputs.graph) if self.manifest.mesh else None
        self.call = Call(self.manifest, self.graphs, self.values, self.bits, self.mesh)
        self.call.set_knobs(Plan(target=target), 1, 0, 0)
        self._folder = tempfile.TemporaryDirectory(prefix="irgl-gpu-")
        self.file = CallFile(self.call, Path(self._folder.name) / "call", inputs.repeat)
        outputs = {id(a) for arrays in self.call.arrays.values() for a in arrays if a is not None}
        # What a run may leave in the file, and the bytes that it finds there before the next one.
        self._before = [
            (self.file.places[a.ctypes.data], bytes([_POISON]) * a.nbytes if id(a) in outputs else a.tobytes())
            for a in self.file.written if a.nbytes]
        # Where the file has the lists' capacity (cuda_rt/process.cuh): behind lists of parameters and globals.
        self._capacity = 8 * (4 + 1 + len(self.call.params) + 1 + len(self.call.globals) + 1)
        self.result: Result | None = None

    def close(self) -> None:
        self._folder.cleanup()

    def run(self, caller: Caller, limit: float, turns: Sequence[str] = (), capacity: int = 0) -> Ran:
        """Raises IrglError where the program faults or `limit` seconds are over. turns: files, one of which it holds
        meanwhile; capacity: of its lists, at first."""
        self._restore(capacity)
        with in_turn(turns):
            code, said = caller(self.file.path, limit)
        self.file.results()
        if code not in (0, 1):
            raise IrglError(f"the program {child.how_it_ended(code)}: {said}")
        try:
            self.call.check(self.manifest)
        except IrglError as e:
            raise IrglError(f"{e.message}: {said}" if said else e.message) from None
        self.result = self.call.result(self.manifest, self.graphs)
        stats = {name: int(self.call.stats[i]) for i, name in enumerate(abi.DEVICE_STATS)}
        scalars = {name: _plain(value) for name, value in self.result.scalars.items()}
        return Ran([float(x) for x in self.file.times], scalars, self._digest(), stats)

    def wrong(self, digest: str, verdicts: Path) -> str | None:
        """What the program's verifier says of the last run's answer; of an answer seen before, in any process of the
        session, what it said then: `verdicts` is the folder where that is kept."""
        assert self.result is not None
        if self.manifest.verifier is None:
            return None
        key = f"{self.inputs.program}|{self.inputs.graph}|{self.inputs.source}|{digest}"
        file = verdicts / hashlib.sha256(key.encode()).hexdigest()
        if not file.exists():
            said = verify(self.manifest, self.graphs, self.values, self.result, self.mesh)
            new = file.with_name(f"{file.name}.{os.getpid()}")
            new.write_text(json.dumps(said), encoding="utf-8")
            new.replace(file)
        found: str | None = json.loads(file.read_text(encoding="utf-8"))
        return found

    def _restore(self, capacity: int) -> None:
        """What a run does not write must not look right because the run before it did."""
        self.file.left.unlink(missing_ok=True)
        if self.call.mesh is not None:
            self.call.mesh.begin()
        with self.file.path.open("r+b") as f:
            for place, data in [(self._capacity, struct.pack("=q", capacity)), *self._before]:
                f.seek(place)
                f.write(data)

    def _digest(self) -> str:
        assert self.result is not None
        digest = hashlib.sha256(repr(sorted(self.result.scalars.items())).encode())
        for name, values in sorted(self.result.properties.items()):
            digest.update(name.encode() + np.ascontiguousarray(values.array).tobytes())
        if self.result.mesh is not None:
            digest.update(self.result.mesh.xy.tobytes() + self.result.mesh.corners.tobytes())
        return digest.hexdigest()


@contextlib.contextmanager
def in_turn(turns: Sequence[str]) -> Iterator[None]:
    """Holds one of these files: as many runs use the GPU at a time as there are. Without files it waits for nobody."""
    with contextlib.ExitStack() as held:
        files = [held.enter_context(open(place, "w", encoding="utf-8")) for place in turns]  # noqa: PTH123
        while files and not any(_held(file) for file in files):
            time.sleep(_LOOK)
        yield


def _held(file: IO[str]) -> bool:
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def with_rooms() -> dict[str, str]:
    """The environment in which `python -m on_gpu.NAME` is found."""
    paths = [str(Path(__file__).resolve().parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def environment() -> dict[str, str]:
    """For workers: caches that hold a whole session, one thread each, and a part of the device's memory."""
    return {**with_rooms(), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "IRGL_BUILD_CACHE_MB": "8192",
            "IRGL_CACHE_LIMIT": str(40 << 30), "IRGL_SHARERS": str(os.cpu_count() or 1)}
