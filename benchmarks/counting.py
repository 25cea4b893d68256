"""Runs of programs in the emulator, and what it counts; registers and spills as nvcc's assembler tells them."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from irgl.driver import compile as compile_unit
from irgl.plan import Plan
from irgl.rt.call import device
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, widths
from irgl.rt.compile import nvcc
from irgl.rt.emulate import emulate
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import Loading, load
from irgl.rt.manifests.manifest import GraphParam
from irgl.rt.manifests.program import open_program

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "programs"


@dataclass(frozen=True, slots=True)
class Counted:
    """One run: what it was, and what was counted."""

    program: str
    graph: str
    nodes: int
    edges: int
    plan: str
    mode: str
    seconds: float
    stats: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.stats[name]

    @property
    def atomics(self) -> int:
        """All in global memory."""
        return sum(self.stats["global_atomics"].values())

    @property
    def appends(self) -> int:
        """Atomics of appends: those of lists and collectives, not those that size or reduce."""
        return sum(n for line, n in self.stats["global_atomics_by_line"].items()
                   if re.match(r"cuda_rt/(worklist|collective)\.cuh:\d+ add", line))


def count(program: str, plan_text: str, graph_name: str, spec: str, *, mode: str = "fast", folder: Path = PROGRAMS,
          values: Mapping[str, Any] | None = None, options: Options | None = None) -> Counted:
    """Runs a program of a folder in the emulator; `mode` as in irgl.rt.emulate.emulate (lockstep tells of lanes)."""
    options = Options() if options is None else options
    plan = Plan.parse(plan_text, "simt")
    manifest = open_program(_file(folder, program), plan)
    graph = _graph(spec, manifest.graphs[0])
    graphs = {manifest.graphs[0].name: graph}
    executable = device.build(manifest, widths(graphs.values()), True)
    begin = time.perf_counter()
    ran = device.run_built(executable, 0.0, manifest, graphs, bind(manifest, graphs, values or {}), plan, options,
                           mode=mode)
    seconds = round(time.perf_counter() - begin, 1)
    return Counted(program, graph_name, graph.num_nodes, graph.num_edges, str(plan), mode, seconds, ran.stats)


def load_of(program: str, spec: str, folder: Path = PROGRAMS) -> Graph:
    """The graph as a program of a folder wants it."""
    return _graph(spec, open_program(_file(folder, program), Plan.parse("", "simt")).graphs[0])


def _file(folder: Path, program: str) -> Path:
    return next(folder.glob(f"{program}.*"))


@cache
def _graph(spec: str, wanted: GraphParam) -> Graph:
    return load(spec, wanted, Loading())


@dataclass(frozen=True, slots=True)
class Registers:
    """Of one kernel: registers of a thread, bytes that are spilled, bytes of shared memory."""

    program: str
    kernel: str
    registers: int
    spilled: int
    shared: int


def registers(program: str, architecture: str = "sm_90") -> list[Registers]:
    """Of all kernels of a program's default plan. Raises IrglError where there is no nvcc."""
    text = compile_unit(str(PROGRAMS / f"{program}.irgl"), target="cuda", plan=Plan.parse("default", "cuda")).text
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "unit.cu"
        source.write_text(text, encoding="utf-8")
        command = [nvcc.compiler(), *nvcc.FLAGS, f"-arch={architecture}", "-Xptxas", "-v", "-cubin", str(source),
                   "-DIRGL_NODE_BITS=32", "-DIRGL_EDGE_BITS=32", f"-I{emulate.folder().parent}",
                   "-o", str(Path(folder) / "unit.cubin")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return told(program, done.stderr)


def told(program: str, text: str) -> list[Registers]:
    """What the assembler says of each kernel of the unit, by name."""
    found = []
    for name, said in re.findall(r"Compiling entry function '(\S+)'(.*?)(?=Compiling entry|\Z)", text, re.DOTALL):
        spilled = sum(map(int, re.findall(r"(\d+) bytes spill (?:stores|loads)", said)))
        used = re.search(r"Used (\d+) registers", said)
        shared = re.search(r"(\d+) bytes smem", said)
        assert used is not None, said
        smem = int(shared[1]) if shared is not None else 0
        found.append(Registers(program, _short(name), int(used[1]), spilled, smem))
    return found


def _short(mangled: str) -> str:
    """The last identifier of a mangled name: a kernel's own, without namespaces and parameters."""
    names, rest = [], mangled
    while (at := re.search(r"(?<!\d)([1-9]\d*)(?=[A-Za-z_])", rest)) is not None:
        length, start = int(at[1]), at.end()
        names.append(rest[start : start + length])
        rest = rest[start + length :]
        if not rest[:1].isdigit():
            break
    return names[-1] if names else mangled
