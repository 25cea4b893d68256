"""The programs under compute-sanitizer's four tools, on small graphs."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import Future
from pathlib import Path

from irgl.source import IrglError
from on_gpu.parts import correctness
from on_gpu.parts.micro import FOLDER, build, compiled
from on_gpu.pool import Reply
from on_gpu.server import under_tool
from on_gpu.suite import Suite

PART = "sanitizer"
TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
_FOUND = 99
_PLACES = ("compute-sanitizer", "/usr/local/cuda/bin/compute-sanitizer",
           "/usr/local/cuda/compute-sanitizer/compute-sanitizer")
GRAPHS = ("lattice", "small")
#: For the one tiny program that shows whether the tool works here.
_TRIAL = 60.0


def prepare(suite: Suite) -> None:
    compiled(suite, FOLDER / "context.cu")
    for name in GRAPHS[:1 if suite.quick else None]:
        suite.start_graph(name)


def run(suite: Suite) -> None:
    chosen = suite.given.sanitizer
    tool = shutil.which(chosen) if chosen else next((f for p in _PLACES if (f := shutil.which(p)) is not None), None)
    why = f"{chosen or 'compute-sanitizer'} is not installed" if tool is None else _useless(suite, tool)
    if tool is None or why:
        suite.record.leave_out(PART, f"everything: {why}")
        return
    jobs = []
    for tried in range(1 if suite.quick else 2):
        for check in TOOLS:
            for program in suite.programs():
                names: tuple[str, ...] = GRAPHS[:1] if suite.quick or tried else GRAPHS
                if suite.takes_mesh(program):
                    names = () if tried else ("few points",)
                jobs += [_submit(suite, tool, check, program, tried, name) for name in names]
    suite.wait(jobs, PART, "runs")


def _useless(suite: Suite, tool: str) -> str:
    """Why the tool is of no use on this machine; '' where it finds nothing in a tiny program without a fault."""
    executable = build(suite, FOLDER / "context.cu")
    if isinstance(executable, str):
        return executable
    log = suite.scratch / "trial.log"
    words = [tool, "--tool", "memcheck", "--log-file", str(log)]
    try:
        code, said = under_tool(words, executable, 0, None, max(1.0, min(_TRIAL, suite.left())), suite.simulated)
    except IrglError as e:
        return f"a tiny program takes {e.message} under it"
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    if code == 0 and "ERROR SUMMARY: 0 errors" in text:
        return ""
    lines = [line.lstrip("= ") for line in text.splitlines()]
    return f"it fails with a tiny program: {' | '.join(line for line in lines if line)[:300] or said or code}"


def _submit(suite: Suite, tool: str, check: str, program: str, tried: int, name: str) -> Future[str]:
    """The default plan, or the first of the sampled ones, from what `correctness` has built."""
    plans = correctness.groups(suite, program)[0] if tried else correctness.DEFAULT
    log = suite.scratch / f"{program}.{name}.{check}.{tried}.log"
    prefix = [tool, "--tool", check, "--error-exitcode", str(_FOUND), "--log-file", str(log)]
    return suite.run(suite.workers, PART, program, plans, [name], lambda r: _told(suite, program, check, log, r),
                     only=[plans[0]], prefix=prefix, limit=60.0)


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
    if found == 0 and "error" in reply:
        suite.record.row(PART, {**row, "verdict": "no result", "why": reply["error"][-300:]})
        return
    lines = [line.lstrip("= ") for line in text.splitlines() if line.startswith("=========")]
    said = [line for line in lines if line and not line.startswith("COMPUTE-SANITIZER")][:8]
    row |= {"verdict": "clean" if found == 0 else "finds", "count": found}
    suite.record.row(PART, row if found == 0 else {**row, "why": " | ".join(said)})
