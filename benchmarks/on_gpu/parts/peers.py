"""Binaries of other projects, built elsewhere: `--peer-bin DIR` holds one or more of those in PEERS.

They are run on the same graph: undirected, simple, as a file of 32-bit integers: nodes, arcs, row starts, targets,
weights. One process is one sample, and a time is what the program says of itself.
"""

from __future__ import annotations

import re
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irgl.rt.graphs.load import load
from irgl.rt.graphs.prepare import Requirements, prepare
from on_gpu.run import in_turn
from on_gpu.suite import Suite

SAMPLES = 3


@dataclass(frozen=True, slots=True)
class Peer:
    """problem: whose programs of ours it is compared with. seconds, answer: where they stand in its output."""

    problem: str
    seconds: re.Pattern[str]
    answer: re.Pattern[str] | None
    scalar: str


#: By the name that a binary has in DIR. All are of ECL-Suite (Texas State University).
PEERS = {
    "ecl-cc": Peer("cc", re.compile(r"compute time: ([\d.]+) s"), re.compile(r"components: (\d+)"), "components"),
    "ecl-mis": Peer("mis", re.compile(r"compute time: ([\d.]+) s"), re.compile(r"elements in set: (\d+)"), ""),
    "ecl-mst": Peer("mst", re.compile(r"Dev[+-]:\s+([\d.]+) s"), None, ""),
}


def refusal(folder: Path) -> str | None:
    """What is wrong with a folder of binaries; None: nothing."""
    if not folder.is_dir():
        return f"--peer-bin {folder}: there is no such folder"
    there = sorted(p.name for p in folder.iterdir() if p.is_file())
    unknown = [name for name in there if name not in PEERS]
    if unknown:
        return f"--peer-bin {folder}: {unknown[0]} is not known: it may hold {', '.join(PEERS)}"
    return None if there else f"--peer-bin {folder}: it is empty: it may hold {', '.join(PEERS)}"


def run(suite: Suite, part: str, name: str, graph: dict[str, Any], ours: dict[str, dict[str, dict[str, Any]]]) -> None:
    file = suite.scratch / f"{name}.egr"
    if not file.exists():
        _write(graph["spec"], file)
    for peer, how in PEERS.items():
        binary = suite.given.peer_bin / peer
        if not binary.exists():
            continue
        row: dict[str, Any] = {"graph": name, "who": peer, "program": how.problem}
        times, text = [], ""
        for _ in range(SAMPLES):
            if suite.left() <= 0:
                break
            with in_turn([suite.lock]):
                text = _output([str(binary), str(file)], max(1.0, min(60.0, suite.left())))
            times += [float(s) * 1e3 for s in how.seconds.findall(text)]
        if not times:
            suite.record.row(part, {**row, "error": (text.strip().splitlines() or ["it prints nothing"])[-1]})
            continue
        ms = sorted(times)[len(times) // 2]
        told = how.answer.search(text) if how.answer is not None else None
        cells = {p: c for p, c in ours[how.problem].items() if c.get("ms")}
        apart = [f"{how.scalar}: {told[1]}, {p} {c['scalars'][how.scalar]}" for p, c in cells.items()
                 if told is not None and how.scalar and int(told[1]) != c["scalars"].get(how.scalar)]
        if "ERROR" in text:
            apart.append("it says that its own answer is wrong")
        suite.record.row(part, {**row, "ms": ms, "disagrees": apart,
                                "ratios": {p: round(ms / c["ms"], 3) for p, c in cells.items()}})


def _output(command: list[str], limit: float) -> str:
    def deep() -> None:  # one of them checks its answer by a recursion
        resource.setrlimit(resource.RLIMIT_STACK, (resource.getrlimit(resource.RLIMIT_STACK)[1],) * 2)

    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              check=False, timeout=limit, preexec_fn=deep)
    except subprocess.TimeoutExpired as e:
        said = e.stdout or b""
        return said.decode(errors="replace") if isinstance(said, bytes) else said
    except OSError as e:
        return f"it can't be run: {e.strerror}"
    return done.stdout


def _write(spec: str, file: Path) -> None:
    graph = prepare(load(spec), Requirements(directed=False, simple=True, weighted="int32", sorted=True))
    weight = graph.weight if graph.weight is not None else np.ones(graph.num_edges, np.int32)
    with file.open("wb") as f:
        for part in ([graph.num_nodes, graph.num_edges], graph.row, graph.dst, weight):
            np.asarray(part).astype(np.int32).tofile(f)
