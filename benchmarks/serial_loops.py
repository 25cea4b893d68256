"""The serial loops of benchmarks/serial, and the programs that they stand beside."""

from __future__ import annotations

import ctypes
import re
import subprocess
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from irgl.frontends.python_files import load_file
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, Outcome, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests import formula as F
from irgl.rt.manifests.program import open_program
from irgl.rt.results.verify import load_verifier, tolerance_of, verify

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ("-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror")
SOURCES, PROGRAMS = ROOT / "benchmarks" / "serial", ROOT / "programs" / "more"
_FILES = ROOT.parent / "shared" / "graphs"
_WEIGHTS = "seed=1,weights=int,min=1,max=255"
#: By name: a generator, or a file.
GRAPHS = {
    "Enron": str(_FILES / "social/email-Enron.txt.xz"),
    "twitter": str(_FILES / "social/ego-Twitter.und.txt.xz"),
    "vote": str(_FILES / "social/wiki-Vote.txt.gz"),
    "epinions": str(_FILES / "social/soc-Epinions1.txt.xz"),
    "NotreDame": str(_FILES / "social/web-NotreDame.txt.xz"),
    "HepPh": str(_FILES / "social/cit-HepPh.txt.xz"),
    "GrQc": str(_FILES / "social/CA-GrQc.txt.gz"),
    "NY": str(_FILES / "road/USA-road-d.NY.gr.gz"),
    "rome": str(ROOT / "programs/data/rome99.gr.gz"),
    "luxembourg": str(_FILES / "road/luxembourg_osm.mtx.xz"),
    "4elt": str(_FILES / "mesh-graph/4elt.graph.gz"),
    "wave": str(_FILES / "mesh-graph/wave.graph.xz"),
    "delaunay16": str(_FILES / "mesh-graph/delaunay_n16.mtx.xz"),
    "rmat10": f"rmat:scale=10,{_WEIGHTS}",
    "rmat14": f"rmat:scale=14,{_WEIGHTS}",
    "rmat16": f"rmat:scale=16,{_WEIGHTS}",
    "kron14": f"kron:scale=14,{_WEIGHTS}",
    "grid": f"grid:size=512x512,{_WEIGHTS}",
}


@dataclass(frozen=True, slots=True)
class Loop:
    """What the comments at the top of a serial loop say. `args` keep their order, which is that of `run`'s."""

    name: str
    needs: frozenset[str]
    owner: str
    result: str
    args: dict[str, str]
    graphs: tuple[str, ...]


def loop_of(path: Path) -> Loop:
    """Reads the comments. Raises ValueError where they say nothing of the answer, or what nobody knows."""
    said = dict(re.findall(r"^// (needs|answer|args|graphs):[ ]*(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    needs, answer = said.get("needs", "").split(), said.get("answer", "").split()
    if not {*needs} <= {"reverse", "weights", "undirected"}:
        raise ValueError(f"{path.name}: needs: {' '.join(needs)}: there are reverse, weights and undirected")
    if len(answer) != 2 or answer[0] not in ("node", "edge", "scalar"):
        raise ValueError(f"{path.name}: say `// answer: node NAME`, edge or scalar")
    args = {k: v for k, _, v in (word.partition("=") for word in said.get("args", "").split())}
    graphs = tuple(said.get("graphs", "rmat14").split())
    if unknown := {*graphs} - GRAPHS.keys():
        raise ValueError(f"{path.name}: graphs: {', '.join(sorted(unknown))}: there are {', '.join(GRAPHS)}")
    return Loop(path.stem, frozenset(needs), answer[0], answer[1], args, graphs)


class _Graph(ctypes.Structure):
    _fields_ = (("n", ctypes.c_uint32), ("m", ctypes.c_uint64), *(
        (word, ctypes.c_void_p) for word in ("row", "col", "weight", "in_row", "in_col", "in_weight")))


class Serial:
    """A loop, built: `ms(trials)` runs it, `answer` is what it left."""

    def __init__(self, loop: Loop, graph: Graph, folder: Path) -> None:
        built = folder / f"{loop.name}.so"
        if not built.exists():
            subprocess.run(["g++", *FLAGS, str(SOURCES / f"{loop.name}.cpp"), "-o", str(built)], check=True)
        self._run = ctypes.CDLL(str(built)).run
        self._run.restype = None
        wide = [np.ascontiguousarray(graph.row, np.uint64), np.ascontiguousarray(graph.dst, np.uint32)]
        weights = "weights" in loop.needs
        wide.append(_doubles(graph.weight) if weights else None)
        if "reverse" in loop.needs:
            back = graph.transpose()
            weight = None if graph.weight is None or not weights else _doubles(graph.weight[back.in_edge])
            wide += [np.ascontiguousarray(back.in_row, np.uint64), np.ascontiguousarray(back.in_src, np.uint32), weight]
        self._held = wide
        self._graph = _Graph(graph.num_nodes, graph.num_edges, *(None if a is None else a.ctypes.data for a in wide))
        self._args = np.array([_number(word, graph) for word in loop.args.values()], np.float64)
        size = {"node": graph.num_nodes, "edge": graph.num_edges, "scalar": 1}[loop.owner]
        self.answer = np.zeros(size)

    def ms(self, trials: int) -> list[float]:
        found = []
        for _ in range(trials):
            begin = time.perf_counter()
            self._run(ctypes.byref(self._graph), ctypes.c_void_p(self._args.ctypes.data), ctypes.c_int(len(self._args)),
                      ctypes.c_void_p(self.answer.ctypes.data))
            found.append((time.perf_counter() - begin) * 1e3)
        return found


def _doubles(weight: Any) -> Any:
    return None if weight is None else np.ascontiguousarray(weight, np.float64)


def program_file(name: str) -> Path:
    """The program that a loop stands beside, in whichever notation. Raises FileNotFoundError."""
    for path in (PROGRAMS / f"{name}.irgl", PROGRAMS / f"{name}.py", PROGRAMS.parent / f"{name}.irgl"):
        if path.exists():
            return path
    raise FileNotFoundError(f"there is no program {name} in {PROGRAMS}")


@cache
def _loaded(name: str) -> Graph:
    return load(GRAPHS[name])


def _number(word: str, graph: Graph) -> float:
    return float(np.argmax(graph.out_degrees())) if word == "hub" and graph.num_nodes else float(word)


def _argument(kind: str, word: str, graph: Graph) -> int | float:
    """A parameter's value as the program takes it: nodes are numbered from 0 in `args`, and as in the file here."""
    value = _number(word, graph)
    if kind in ("float", "double"):
        return value
    return graph.file_id(int(value)) if kind == "node" else int(value)


class Pair:
    """A loop and the program of its name on one graph. Raises FileNotFoundError where the graph's file is absent."""

    def __init__(self, loop: Loop, graph: str, folder: Path, plan: str) -> None:
        if ":" not in GRAPHS[graph] and not Path(GRAPHS[graph]).exists():
            raise FileNotFoundError(f"there is no file {GRAPHS[graph]}")
        self.loop, self._plan = loop, Plan.parse(plan)
        self._manifest = open_program(program_file(loop.name), self._plan)
        wanted = self._manifest.graphs[0]
        self.graph = prepare(_loaded(graph), requirements(wanted))
        if "reverse" in loop.needs or wanted.transpose or wanted.in_edge:
            self.graph.transpose()
        graphs = {wanted.name: self.graph}
        self.given = {p.name: _argument(p.type, loop.args[p.name], self.graph) for p in self._manifest.params
                      if p.name in loop.args}
        self._graphs, self._values = graphs, bind(self._manifest, graphs, self.given)
        self.serial = Serial(loop, self.graph, folder)

    def irgl(self, threads: int, trials: int) -> Outcome:
        return run(self._manifest, self._graphs, self._values, self._plan, Options(threads=threads, repeat=trials))

    def wrong(self) -> str | None:
        """What is wrong with the program's answer, or the loop's, in words. Both run for it."""
        manifest, result = self._manifest, self.irgl(1, 1).result
        if manifest.verifier and (why := verify(manifest, self._graphs, self._values, result)) is not None:
            return f"irgl: {why}"
        self.serial.ms(1)
        theirs = self.serial.answer
        if self.loop.owner == "scalar":
            ours = np.array([result.scalars[self.loop.result]])
        else:
            ours = np.asarray(result.properties[self.loop.result].array)
        if manifest.any_valid:
            why = self._refused(result, theirs.astype(ours.dtype))
            return why and f"serial: {why}"
        near = np.isclose(theirs, ours.astype(np.float64), rtol=tolerance_of(manifest), atol=1e-9)
        return None if near.all() else f"serial: `{self.loop.result}` differs at {int(np.argmin(near))}"

    def _refused(self, result: Any, theirs: Any) -> str | None:
        """What the verifier says of the loop's answer in the place of the program's, and of nothing besides."""
        manifest = self._manifest
        assert manifest.verifier is not None
        folder = Path(manifest.path).absolute().parent
        file = next(p for p in (folder / "verifiers" / f"{manifest.verifier}.py",
                                folder.parent / "verifiers" / f"{manifest.verifier}.py") if p.is_file())
        required = load_file(file, "verifier").REQUIRED
        arrays = {name: v.array for name, v in result.properties.items()} | {self.loop.result: theirs}
        scope = F.Scope(self._graphs, {**self._values, **result.scalars, **arrays})
        claim = {role: F.value(f, scope, role) for role, f in manifest.roles.items()
                 if role in required or f[0] == "const" or (f[0] == "name" and f[1] in self._values)}
        return load_verifier(file)(self.graph, claim, tolerance_of(manifest))
