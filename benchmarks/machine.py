"""The machine a measurement ran on, and how much of it other people's work took meanwhile. Linux only."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_TICK = os.sysconf("SC_CLK_TCK")


def describe() -> dict[str, Any]:
    """Processor, cores, caches, memory, system, compiler and Python, for a result file."""
    cpu = _lines("lscpu")
    return {
        "cpu": cpu.get("Model name", platform.processor()),
        "cores": len(os.sched_getaffinity(0)),
        "L1d": cpu.get("L1d cache", ""),
        "L2": cpu.get("L2 cache", ""),
        "L3": cpu.get("L3 cache", ""),
        "hypervisor": cpu.get("Hypervisor vendor", "none"),
        "memory_gib": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1),
        "system": platform.platform(),
        "compiler": _first_line("g++", "--version"),
        "python": platform.python_version(),
    }


def commit(root: Path) -> str:
    """The commit of the checkout at `root`, with `+` where programs, runtime or compiler differ from it."""
    head = _first_line("git", "-C", str(root), "rev-parse", "--short=12", "HEAD")
    changed = _first_line("git", "-C", str(root), "status", "--porcelain", "--", "irgl", "cpu_rt", "cuda_rt",
                          "programs")
    return head + ("+" if changed else "")


def _lines(*command: str) -> dict[str, str]:
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    except OSError:
        return {}
    return {k.strip(): v.strip() for k, _, v in (line.partition(":") for line in found.stdout.splitlines())}


def _first_line(*command: str) -> str:
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return (found.stdout.splitlines() or [""])[0]


class Watch:
    """How many cores other processes took since it was made, `pids` and our finished children not counted."""

    def __init__(self, pids: Iterable[int]) -> None:
        self._pids = [os.getpid(), *pids]
        self._begin = time.perf_counter()
        self._busy, self._own = _busy_seconds(), self._own_seconds()

    def others(self) -> float:
        took = time.perf_counter() - self._begin
        foreign = _busy_seconds() - self._busy - (self._own_seconds() - self._own)
        return max(0.0, round(foreign / took, 2)) if took > 0 else 0.0

    def _own_seconds(self) -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime + sum(_process_seconds(pid) for pid in self._pids)


def _busy_seconds() -> float:
    # user nice system idle iowait irq softirq steal: all but idle and iowait, stolen time included.
    fields = [int(x) for x in Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / _TICK


def _process_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICK


def wait_until_quiet(limit: float, patience: float) -> float:
    """Waits until others take at most `limit` cores for half a second, at most `patience` s; the seconds it took."""
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < patience:
        watch = Watch([])
        time.sleep(0.5)
        if watch.others() <= limit:
            break
    return spent
