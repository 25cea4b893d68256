"""Runs of one executable of the emulator at the price of one start (cuda_rt/emu/runtime/jobs.cpp)."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from irgl.rt.emulate.emulate import Message, Report


@dataclass(frozen=True, slots=True)
class Job:
    """One run."""

    arguments: Sequence[str]
    mode: str = "check"
    seed: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)


def run_jobs(executable: Path, jobs: Sequence[Job], seconds: int = 60) -> list[Report]:
    """What each run did; all take as many arguments. One that takes longer is ended by a signal (code 142)."""
    if not jobs:
        return []
    with tempfile.TemporaryDirectory(prefix="irgl-jobs-") as name:
        folder = Path(name)
        (folder / "jobs").write_text("".join(_block(job, folder / str(i), seconds) for i, job in enumerate(jobs)))
        done = subprocess.run([str(executable), *["-"] * len(jobs[0].arguments)], capture_output=True, text=True,
                              check=False, env={**os.environ, "IRGL_EMU_JOBS": str(folder / "jobs")})
        codes = (folder / "jobs.codes").read_text().split()
        assert len(codes) == len(jobs), f"the emulator ended with {done.returncode}: {done.stderr[-500:]}"
        return [_report(folder / str(i), int(code)) for i, code in enumerate(codes)]


def _block(job: Job, path: Path, seconds: int) -> str:
    environment = {"IRGL_EMU_MODE": job.mode, "IRGL_EMU_SEED": str(job.seed), "IRGL_EMU_REPORT": f"{path}.json",
                   "IRGL_EMU_OUTPUT": f"{path}.out", "IRGL_EMU_SECONDS": str(seconds), "IRGL_EMU_LINES": "0",
                   **job.environment}
    return "".join([*(f"e {k}={v}\n" for k, v in environment.items()), *(f"a {a}\n" for a in job.arguments), "\n"])


def _report(path: Path, code: int) -> Report:
    try:
        raw = json.loads(path.with_name(f"{path.name}.json").read_text())
    except (FileNotFoundError, ValueError):  # killed before its end
        raw = {}
    messages = tuple(Message(**m) for m in raw.pop("messages", []))
    output = path.with_name(f"{path.name}.out").read_text(errors="replace")
    return Report(code, output, output, messages, raw)
