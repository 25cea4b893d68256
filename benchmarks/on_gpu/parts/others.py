"""The programs of programs/more and programs/gt under their default plans, as `irglc run --verify` judges them."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from on_gpu.run import TIME_OVER, environment
from on_gpu.specs import ROOT
from on_gpu.suite import LIMIT, TURNS, Suite
from on_gpu.units import manifest_of

PART = "others"
FOLDERS = ("more", "gt")
GRAPHS = ("lattice", "small", "rmat16")
#: What searches from every node is for small graphs, and no graph here says where its nodes are.
FEW, LACKING = ("bc_weighted", "eccentricities"), ("astar",)
#: What is for graphs whose edges go both ways, and takes them as they are in the file.
SYMMETRIC = {("gt", "cc"), ("gt", "kcore"), ("gt", "tc")}
#: What a node that a program has to be told is: the number of one that every graph has.
NODE = "1"
#: nvcc's time comes before that of the run.
BUILD = 60.0


def files(suite: Suite) -> list[Path]:
    """The programs that a verifier judges, of those asked for."""
    chosen = suite.given.programs.split(",") if suite.given.programs else []
    there = [p for folder in FOLDERS for p in sorted((ROOT / "programs" / folder).glob("*.*"))]
    return [p for p in there if (not chosen or p.stem in chosen) and p.stem not in LACKING
            and manifest_of(p, "default", suite.target).verifier]


def prepare(suite: Suite) -> None:
    for name in GRAPHS[:1 if suite.quick else None]:
        suite.start_graph(name)


def run(suite: Suite) -> None:
    names = GRAPHS[:1 if suite.quick else None]
    with ThreadPoolExecutor(TURNS * 4) as pool:  # most of the time is nvcc's
        jobs = [pool.submit(_judged, suite, program, names) for program in files(suite)]
        suite.wait(jobs, PART, "programs")


def _judged(suite: Suite, program: Path, names: tuple[str, ...]) -> str:
    """'' once a program ran on all graphs, else why it did not."""
    manifest = manifest_of(program, "default", suite.target)
    told = [word for p in manifest.params if p.default is None for word in (f"--{p.name}", NODE)]
    for name in names[:2] if program.stem in FEW else names:
        if suite.left() < 1:
            return TIME_OVER
        if suite.graph(name, PART) is None:
            continue
        command = [sys.executable, "-m", "irgl", "run", str(program), "--graph", str(suite.graph_file(name)),
                   "--target", suite.target, "--verify", "--json", *told]
        if (program.parent.name, program.stem) in SYMMETRIC:
            command.append("--undirected")
        row: dict[str, Any] = {"program": f"{program.parent.name}/{program.stem}", "plan": "default", "graph": name}
        try:
            ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment(),
                                 timeout=min(suite.left() + 5, LIMIT + BUILD))
        except subprocess.TimeoutExpired:
            return TIME_OVER
        suite.record.row(PART, row | _verdict(ran))
    return ""


def _verdict(ran: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    why = " ".join(ran.stderr.split())[-300:]
    if ran.returncode == 0:
        return {"verdict": "right", "ms": json.loads(ran.stdout)["kernel_ms"]}
    return {"verdict": "wrong" if ran.returncode == 1 else "fails", "why": why}
