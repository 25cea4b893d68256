"""Binaries of other projects by name: how each is called, on which form of a graph, and how its output is read."""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irgl.rt.graphs.prepare import Requirements

#: What is done to a graph before a peer gets it.
AS_IT_IS = Requirements(weighted="int32")
SIMPLE = Requirements(simple=True, weighted="int32")
UNDIRECTED = Requirements(directed=False, simple=True, weighted="int32", sorted=True)
#: Graphs with long paths and short rows, and those without.
ROADS, WEBS = ("NY", "grid"), ("rmat20", "rmat22")
GRAPHS = ("NY", "rmat20", "grid", "rmat22")


@dataclass(frozen=True, slots=True)
class Problem:
    """ours: the programs that peers are compared with, under these values of their parameters."""

    ours: tuple[str, ...]
    need: Requirements
    values: Mapping[str, Any]
    graphs: tuple[str, ...] = GRAPHS


#: PageRank: the same number of iterations for all. bc leaves the grid out: a double can't count its shortest paths.
PROBLEMS = {
    "bfs": Problem(("bfs", "bfs_do"), AS_IT_IS, {}),
    "sssp": Problem(("sssp_nf", "sssp_delta"), AS_IT_IS, {}),
    "pr": Problem(("pr_pull",), AS_IT_IS, {"epsilon": 0.0, "max_iterations": 20}),
    "cc": Problem(("cc", "cc_afforest"), UNDIRECTED, {}),
    "tri": Problem(("tri",), UNDIRECTED, {}),
    "bc": Problem(("bc",), SIMPLE, {}, tuple(g for g in GRAPHS if g != "grid")),
    "mis": Problem(("mis",), UNDIRECTED, {}),
    "mst": Problem(("mst",), UNDIRECTED, {}),
}


@dataclass(frozen=True, slots=True)
class Peer:
    """One binary.

    form: of its graph's file, in peer_graphs.FORMS. arguments: with {graph}, {source}, and {knob} in turn for each of
    `knobs`, of which the best counts; `of_weight`: they are multiples of the mean weight. seconds: matches each time
    in its output, `unit` of them are one second. samples: processes, for one that tells a single time.
    """

    problem: str
    form: str
    arguments: str
    seconds: re.Pattern[str]
    unit: float = 1.0
    graphs: tuple[str, ...] = GRAPHS
    knobs: tuple[float, ...] = ()
    of_weight: bool = False
    samples: int = 1

    def runs_on(self, graph: str) -> bool:
        return graph in self.graphs and graph in PROBLEMS[self.problem].graphs

    def calls(self, graph: Path, source: int, weight: float) -> list[list[str]]:
        """The arguments of each process that is run; weight: the mean one."""
        values = [str(max(1, round(k * weight))) if self.of_weight else f"{k:g}" for k in self.knobs or (0.0,)]
        return [[a.format(graph=graph, source=source, knob=v) for a in self.arguments.split()] for v in values]


def _ecl(problem: str, seconds: str) -> Peer:
    return Peer(problem, "egr", "{graph}", re.compile(seconds), samples=3)


def _graphit(problem: str, arguments: str = "", form: str = "graphit", **more: Any) -> Peer:
    return Peer(problem, form, "{graph} " + arguments, re.compile(r"elapsed time:\s+([\d.]+(?:e[+-]?\d+)?)"), **more)


def _gunrock(problem: str, arguments: str, form: str = "gunrock", **more: Any) -> Peer:
    return Peer(problem, form, "-m {graph} " + arguments,
                re.compile(r"GPU Elapsed Time : ([\d.]+(?:e[+-]?\d+)?) \(ms\)"), unit=1e3, **more)


#: ECL-Suite (Texas State University); GraphIt's GPU backend under the schedules that its authors found best for roads
#: and for webs; Gunrock's examples.
PEERS = {
    "graphit-bfs-road": _graphit("bfs", "{source}", graphs=ROADS),
    "graphit-bfs-web": _graphit("bfs", "{source} {knob}", knobs=(0.03, 0.12), graphs=WEBS),
    "graphit-sssp-road": _graphit("sssp", "{source} {knob}", "graphit-weighted", knobs=(4, 16, 64), of_weight=True,
                                  graphs=ROADS),
    "graphit-sssp-web": _graphit("sssp", "{source} {knob}", "graphit-weighted", knobs=(0.25, 1), of_weight=True,
                                 graphs=WEBS),
    "graphit-pr": _graphit("pr"),
    "graphit-cc": _graphit("cc"),
    "graphit-bc-road": _graphit("bc", "{source}", graphs=ROADS),
    "graphit-bc-web": _graphit("bc", "{source} {knob}", knobs=(0.03,), graphs=WEBS),
    "gunrock-bfs": _gunrock("bfs", "-s {source} -n 5"),
    "gunrock-sssp": _gunrock("sssp", "-s {source} -n 5"),
    "gunrock-pr": _gunrock("pr", "-n 5", "gunrock-unit"),
    "gunrock-tc": _gunrock("tri", "-r", graphs=GRAPHS[:3]),
    "gunrock-bc": _gunrock("bc", "-s {source} -n 5"),
    "ecl-cc": _ecl("cc", r"compute time: ([\d.]+) s"),
    "ecl-mis": _ecl("mis", r"compute time: ([\d.]+) s"),
    "ecl-mst": _ecl("mst", r"Dev[+-]:\s+([\d.]+) s"),
}
_TOLD = re.compile(r"(\w+)\s*: (\d+)\b")


def refusal(folder: Path) -> str | None:
    """What is wrong with a folder of binaries; None: nothing."""
    if not folder.is_dir():
        return f"--peer-bin {folder}: there is no such folder"
    there = sorted(p.name for p in folder.iterdir() if p.is_file())
    unknown = [name for name in there if name not in PEERS]
    if unknown:
        return f"--peer-bin {folder}: {unknown[0]} is not known: it may hold {', '.join(PEERS)}"
    return None if there else f"--peer-bin {folder}: it is empty: it may hold {', '.join(PEERS)}"


def milliseconds(peer: Peer, outputs: list[str]) -> float | None:
    """The median of the times in the outputs of a peer's processes; None without one."""
    times = [float(s) / peer.unit for text in outputs for s in peer.seconds.findall(text)]
    return statistics.median(times) * 1e3 if times else None


def complaint(text: str, code: int) -> str | None:
    """Why a peer's times do not count: what it says last of an error, or at all, where it ends with another exit code
    than 0. One that has judged its own answer (`ERROR`) has times."""
    if code == 0 or "ERROR" in text:
        return None
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["it prints nothing"]
    return next((line for line in reversed(lines) if "error" in line.lower()), lines[-1]) + f" (exit code {code})"


def disagreements(text: str, cells: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Where a peer's output has `NAME: number` for a scalar of ours, and it is another number; and its own verdict."""
    told = {name: int(number) for name, number in _TOLD.findall(text)}
    apart = [f"{name}: {told[name]}, {program} {x}" for program, cell in cells.items()
             for name, x in cell["scalars"].items() if name in told and told[name] != x]
    return [*apart, "it says that its own answer is wrong"] if "ERROR" in text else apart
