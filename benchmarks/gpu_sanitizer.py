"""The programs under compute-sanitizer's four tools, on small graphs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from gpu_pool import Reply
from gpu_suite import Suite

PART = "sanitizer"
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
PLANS = ("default", "none np=tb cc=warp")
_FOUND = 99
_PLACES = ("compute-sanitizer", "/usr/local/cuda/bin/compute-sanitizer")


def run(suite: Suite) -> None:
    chosen = suite.given.sanitizer
    tool = shutil.which(chosen) if chosen else next((f for p in _PLACES if (f := shutil.which(p)) is not None), None)
    if tool is None:
        suite.record.leave_out(PART, f"everything: {chosen or 'compute-sanitizer'} is not installed")
        return
    names = ("lattice",) if suite.quick else ("small", "lattice")
    graphs = {n: g for n in names if (g := suite.graph(n, PART)) is not None}
    programs = suite.programs()
    on_meshes = {p for p in programs if suite.takes_mesh(p)}
    meshes = {n: g for n in ("few points",) if on_meshes and (g := suite.graph(n, PART)) is not None}
    jobs = []
    for at, (plan, check) in enumerate([(p, t) for p in PLANS[:1 if suite.quick else 2] for t in TOOLS]):
        for program in programs:
            inputs = meshes if program in on_meshes else graphs
            for name in inputs:
                log = suite.scratch / f"{program}.{name}.{at}.log"
                prefix = [tool, "--tool", check, "--error-exitcode", str(_FOUND), "--log-file", str(log)]
                request = suite.request(program, [plan], {name: inputs[name]}, prefix=prefix, limit=60.0)
                jobs.append(suite.workers.submit(
                    request, suite.deadline,
                    lambda r, p=program, c=check, f=log: _told(suite, p, c, f, r)))
    suite.wait(jobs, PART, "runs")


def _told(suite: Suite, program: str, check: str, log: Path, reply: Reply) -> None:
    if reply.get("late"):
        suite.record.leave_out(PART, "runs after the part's time")
        return
    row = {"program": program, "tool": check, "plan": reply.get("plan"), "graph": reply.get("graph")}
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    summary = re.search(r"(?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard)", text)
    if summary is None:
        said = reply.get("error") or next((line for line in text.splitlines() if "rror" in line), "no summary")
        suite.record.row(PART, {**row, "verdict": "no result", "why": said.strip()[-300:]})
        return
    found = int(summary[1] or summary[2])
    lines = [line.lstrip("= ") for line in text.splitlines() if line.startswith("=========")]
    said = [line for line in lines if line and not line.startswith("COMPUTE-SANITIZER")][:8]
    row |= {"verdict": "clean" if found == 0 else "finds", "count": found}
    suite.record.row(PART, row if found == 0 else {**row, "why": " | ".join(said)})
