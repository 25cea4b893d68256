"""A program on a graph: its call, written to a file once, and run under many plans in processes with a time limit."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irgl.plan import Plan
from irgl.rt import abi, device, emulate
from irgl.rt.bind import bind
from irgl.rt.call import Call
from irgl.rt.graphs import Loading, load
from irgl.rt.manifest import Manifest
from irgl.rt.meshes import load_mesh
from irgl.rt.process import CallFile
from irgl.rt.program import open_program
from irgl.rt.result import Result
from irgl.rt.run import widths
from irgl.rt.verify import verify
from irgl.source import IrglError

_POISON = 0xA5
#: How the error of a run begins that was ended because it took too long.
TOO_LONG = "> "


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: its times, its answer in short, what was counted, and the process's exit code."""

    ms: list[float]
    scalars: dict[str, Any]
    digest: str
    stats: dict[str, int]
    code: int


@dataclass(frozen=True, slots=True)
class Inputs:
    """Which program runs on what (a mesh's .ele file for one that takes a mesh). source: the file's id of the node that
    node parameters get; values: others."""

    program: Path
    graph: str
    source: int
    values: Mapping[str, Any]
    repeat: int
    capacity: int


class Prepared:
    """The call of a program on a graph. A plan changes the code alone: the call's layout is the same under all."""

    def __init__(self, inputs: Inputs, target: str) -> None:
        self.simulated = target == "simt"
        self.manifest = open_program(inputs.program, Plan(target=target))
        self.graphs = {g.name: load(inputs.graph, g, Loading()) for g in self.manifest.graphs}
        sources = {p.name: inputs.source for p in self.manifest.params if p.type == "node"}
        known = {k: v for k, v in inputs.values.items() if any(p.name == k for p in self.manifest.params)}
        self.values = bind(self.manifest, self.graphs, {**sources, **known})
        self.bits = widths(self.graphs.values())
        self.mesh = load_mesh(inputs.graph) if self.manifest.mesh else None
        self.call = Call(self.manifest, self.graphs, self.values, self.bits, self.mesh)
        self.call.set_knobs(Plan(target=target), 1, inputs.capacity, 0)
        self._folder = tempfile.TemporaryDirectory(prefix="irgl-gpu-")
        self.file = CallFile(self.call, Path(self._folder.name) / "call", inputs.repeat)
        outputs = {id(a) for arrays in self.call.arrays.values() for a in arrays if a is not None}
        # What a run may leave in the file, and the bytes that it finds there before the next one.
        self._before = [
            (self.file.places[a.ctypes.data], bytes([_POISON]) * a.nbytes if id(a) in outputs else a.tobytes())
            for a in self.file.written if a.nbytes]
        self._right: dict[str, str | None] = {}
        self.result: Result | None = None

    def close(self) -> None:
        self._folder.cleanup()

    def build(self, manifest: Manifest) -> Path:
        return device.build(manifest, self.bits, self.simulated)

    def run(self, executable: Path, limit: float, lock: str | None, prefix: Sequence[str] = ()) -> Ran:
        """Raises IrglError where the program faults, the emulator complains, or `limit` seconds are over."""
        self._restore()
        with _alone(lock):
            code, said = self._simulate(executable, prefix, limit) if self.simulated else _process(
                [*prefix, str(executable), str(self.file.path)], limit)
        self.file.results()
        if code not in (0, 1) and not prefix:
            raise IrglError(f"the program ended with code {code}: {said}")
        try:
            self.call.check(self.manifest)
        except IrglError as e:
            raise IrglError(f"{e.message}: {said}" if said else e.message) from None
        self.result = self.call.result(self.manifest, self.graphs)
        stats = {name: int(self.call.stats[i]) for i, name in enumerate(abi.DEVICE_STATS)}
        scalars = {name: _plain(value) for name, value in self.result.scalars.items()}
        return Ran([float(x) for x in self.file.times], scalars, self._digest(), stats, code)

    def wrong(self, digest: str) -> str | None:
        """What the program's verifier says of the last run's answer; of an answer seen before, what it said then."""
        assert self.result is not None
        if self.manifest.verifier is None:
            return None
        if digest not in self._right:
            self._right[digest] = verify(self.manifest, self.graphs, self.values, self.result, self.mesh)
        return self._right[digest]

    def _restore(self) -> None:
        """What a run does not write must not look right because the run before it did."""
        self.file.left.unlink(missing_ok=True)
        if self.call.mesh is not None:
            self.call.mesh.begin()
        with self.file.path.open("r+b") as f:
            for place, data in self._before:
                f.seek(place)
                f.write(data)

    def _simulate(self, executable: Path, prefix: Sequence[str], limit: float) -> tuple[int, str]:
        if prefix:
            wrapper = Path(self._folder.name) / "under-a-tool"
            wrapper.write_text(f"#!/bin/sh\nexec {' '.join(prefix)} {executable} \"$@\"\n", encoding="utf-8")
            wrapper.chmod(0o755)
            executable = wrapper
        report = emulate.run(executable, [str(self.file.path)], mode="check", timeout=limit)
        if report.errors:
            raise IrglError(f"the emulator found {report.errors[0]}")
        return report.code, report.stderr.strip()[-300:]

    def _digest(self) -> str:
        assert self.result is not None
        digest = hashlib.sha256(repr(sorted(self.result.scalars.items())).encode())
        for name, values in sorted(self.result.properties.items()):
            digest.update(name.encode() + np.ascontiguousarray(values.array).tobytes())
        if self.result.mesh is not None:
            digest.update(self.result.mesh.xy.tobytes() + self.result.mesh.corners.tobytes())
        return digest.hexdigest()


def _process(command: list[str], limit: float) -> tuple[int, str]:
    """Its exit code, and the end of what it said on stderr."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, errors="replace", check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        raise IrglError(f"{TOO_LONG}{limit:.0f} s") from None
    return done.returncode, " ".join(done.stderr.split())[-300:]


@contextlib.contextmanager
def _alone(lock: str | None) -> Iterator[None]:
    """Inside, no other run of this suite that is timed uses the GPU."""
    if lock is None:
        yield
        return
    with open(lock, "w", encoding="utf-8") as file:  # noqa: PTH123
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def manifest_of(program: Path, plan: str, target: str) -> Manifest:
    return open_program(program, Plan.parse(plan, target))


def environment() -> dict[str, str]:
    """For workers: caches that hold a whole session, and one thread each."""
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "IRGL_BUILD_CACHE_MB": "8192",
            "IRGL_CACHE_LIMIT": str(40 << 30)}
