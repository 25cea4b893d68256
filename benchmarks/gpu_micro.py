"""Figure 1's curve, the costs of launches, barriers, loads and atomics, and bandwidth: programs of benchmarks/micro."""

from __future__ import annotations

import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gpu_suite import Suite

from irgl.rt import emulate, nvcc
from irgl.source import IrglError

FOLDER = Path(__file__).resolve().parent / "micro"
FLAGS = ("-std=c++17", "-O3")
PARTS = {"curve": ("utilisation",), "bandwidth": ("copy",),
         "costs": ("launch", "grid_sync", "while_node", "dependent_load", "atomics")}


def run(suite: Suite, part: str) -> None:
    names = PARTS[part]
    with ThreadPoolExecutor(len(names)) as pool:
        built = list(pool.map(lambda n: build(suite, FOLDER / f"{n}.cu"), names))
    for name, executable in zip(names, built, strict=True):
        if isinstance(executable, str):
            suite.record.leave_out(part, f"{name}: {executable}")
        else:
            _measure(suite, part, name, executable)


def _measure(suite: Suite, part: str, name: str, executable: Path) -> None:
    if suite.left() <= 0:
        suite.record.leave_out(part, f"{name}: the time was over")
        return
    lines, why = run_program(suite, executable, ["--quick"] if suite.quick else [], suite.left())
    for line in lines:
        suite.record.row(part, {"benchmark": name, **line})
    if why:
        suite.record.leave_out(part, f"{name}: {why}")


def build(suite: Suite, source: Path) -> Path | str:
    """The executable of a CUDA file, by nvcc, or by the emulator's compiler; or why there is none."""
    if suite.simulated:
        try:
            return emulate.build(source)
        except IrglError as e:
            return str(e).splitlines()[0]
    output = suite.scratch / source.stem
    done = subprocess.run([nvcc.compiler(), *FLAGS, f"-arch={suite.given.arch}", str(source), "-o", str(output)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return next((line for line in done.stderr.splitlines() if "error" in line), "nvcc can't build it")
    return output


def run_program(suite: Suite, executable: Path, arguments: list[str], limit: float) -> tuple[list[dict[str, Any]], str]:
    """The lines of JSON that a program prints, and what went wrong ('': nothing)."""
    file = suite.scratch / f"said.{executable.stem}.{time.monotonic_ns()}"
    if suite.simulated:
        try:
            report = emulate.run(executable, arguments, mode="check", timeout=limit)
        except IrglError as e:
            return [], str(e)
        why = str(report.errors[0]) if report.errors else f"exit code {report.code}" if report.code else ""
        return _lines(report.stdout), why
    with file.open("wb") as out:
        try:
            done = subprocess.run([str(executable), *arguments], stdout=out, stderr=subprocess.PIPE, check=False,
                                  timeout=max(1.0, limit))
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
            why = "" if done.returncode == 0 else last[0]
        except subprocess.TimeoutExpired:
            why = f"> {limit:.0f} s"
    return _lines(file.read_text(encoding="utf-8", errors="replace")), why


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]
