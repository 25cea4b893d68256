"""Figure 1's curve, the costs of launches, barriers, loads and atomics, and bandwidth: programs of benchmarks/micro."""

from __future__ import annotations

import json
import os
import subprocess
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from irgl.rt.compile import nvcc
from irgl.rt.emulate import emulate
from irgl.source import IrglError
from on_gpu.suite import Suite

FOLDER = Path(__file__).resolve().parents[2] / "micro"
FLAGS = ("-std=c++17", "-O3")
#: Seconds that nvcc may take for one file.
BUILD = 120.0
PARTS = {"curve": ("utilisation",), "bandwidth": ("copy",),
         "costs": ("context", "launch", "memory", "grid_sync", "while_node", "dependent_load", "atomics")}


def prepare(suite: Suite, part: str) -> None:
    """Begins to build what the part runs."""
    for name in PARTS[part]:
        compiled(suite, FOLDER / f"{name}.cu")


def run(suite: Suite, part: str) -> None:
    for name in PARTS[part]:
        executable = build(suite, FOLDER / f"{name}.cu")
        if isinstance(executable, str):
            suite.record.leave_out(part, f"{name}: {executable}")
        elif suite.left() <= 0:
            suite.record.leave_out(part, f"{name}: the time was over")
        else:
            _measure(suite, part, name, executable)


def _measure(suite: Suite, part: str, name: str, executable: Path) -> None:
    quick = ["--quick"] if suite.quick else []
    lines, why = run_program(suite, executable, quick, suite.left())
    if name == "context":
        lines += _at_once(suite, executable, quick)
    for line in lines:
        suite.record.row(part, {"benchmark": name, **line})
    if why:
        suite.record.leave_out(part, f"{name}: {why}")


def _at_once(suite: Suite, executable: Path, quick: list[str]) -> list[dict[str, Any]]:
    """The same by several processes that start together: the slowest of each number, and until all have ended."""
    many, begin = 2 if suite.quick else 16, time.perf_counter()
    with ThreadPoolExecutor(many) as pool:
        found = list(pool.map(lambda _: run_program(suite, executable, quick, suite.left())[0], range(many)))
    took = time.perf_counter() - begin
    slowest: dict[str, dict[str, Any]] = {}
    for line in (line for lines in found for line in lines):
        slowest[line["what"]] = max(slowest.get(line["what"], line), line, key=lambda x: x["value"])
    ends = {"what": "processes from start to end", "unit": "ms", "value": round(took * 1e3, 1)}
    return [{**line, "processes": many} for line in (*slowest.values(), ends)]


def compiled(suite: Suite, source: Path) -> Future[Path | str]:
    """The executable of a CUDA file, by nvcc, or by the emulator's compiler; or why there is none."""
    if source not in suite.compiled:
        suite.compiled[source] = suite.compilers.submit(_compiled, suite, source)
    return suite.compiled[source]


def build(suite: Suite, source: Path) -> Path | str:
    """What `compiled` gives, waited for."""
    try:
        return compiled(suite, source).result(timeout=max(1.0, suite.left()))
    except TimeoutError:
        return "it is still being built"


def _compiled(suite: Suite, source: Path) -> Path | str:
    if suite.simulated:
        try:
            return emulate.build(source)
        except IrglError as e:
            return str(e).splitlines()[0]
    output = suite.scratch / source.stem
    try:
        done = subprocess.run([nvcc.compiler(), *FLAGS, f"-arch={suite.given.arch}", str(source), "-o", str(output)],
                              capture_output=True, text=True, check=False, timeout=BUILD)
    except subprocess.TimeoutExpired:
        return f"nvcc takes more than {BUILD:.0f} s"
    if done.returncode != 0:
        return next((line for line in done.stderr.splitlines() if "error" in line), "nvcc can't build it")
    return output


def run_program(suite: Suite, executable: Path, arguments: list[str], limit: float) -> tuple[list[dict[str, Any]], str]:
    """The lines of JSON that a program prints, and what went wrong ('': nothing)."""
    file = suite.scratch / f"said.{executable.stem}.{time.monotonic_ns()}"
    alone = {"IRGL_ALONE": suite.lock}  # what handwritten programs hold while they are timed
    if suite.simulated:
        try:
            report = emulate.run(executable, arguments, mode="check", timeout=limit, environment=alone)
        except IrglError as e:
            return [], str(e)
        why = str(report.errors[0]) if report.errors else f"exit code {report.code}" if report.code else ""
        return _lines(report.stdout), why
    with file.open("wb") as out:
        try:
            done = subprocess.run([str(executable), *arguments], stdout=out, stderr=subprocess.PIPE, check=False,
                                  timeout=max(1.0, limit), env={**os.environ, **alone})
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
            why = "" if done.returncode == 0 else last[0]
        except subprocess.TimeoutExpired:
            why = f"> {limit:.0f} s"
    return _lines(file.read_text(encoding="utf-8", errors="replace")), why


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]
