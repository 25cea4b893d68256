"""The machine, its GPU and the versions of what is used, for a result file."""

from __future__ import annotations

import hashlib
import importlib.metadata
import subprocess
from pathlib import Path
from typing import Any

import machine

from irgl.rt.compile import nvcc
from irgl.source import IrglError

_ASKED = ("name", "driver_version", "memory.total", "compute_cap", "clocks.max.sm", "clocks.max.memory", "clocks.sm",
          "clocks.mem", "temperature.gpu", "power.limit", "persistence_mode", "mig.mode.current")
_PACKAGES = ("numpy", "scipy", "networkx", "jinja2", "pycparser", "filelock", "platformdirs", "rich-click")


def describe(root: Path, pack: Path, simulated: bool) -> dict[str, Any]:
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "absent"
    commit = machine.commit(root)
    packed = pack / "commit"
    if packed.exists():  # either may lag behind what runs: a pack of before, or the repository of a copy of the tree
        commit = f"{packed.read_text(encoding='utf-8').strip()} (when gpu-pack was made){commit and f', {commit} here'}"
    return {"machine": machine.describe(), "gpu": {"name": "emulated"} if simulated else gpu(), "nvcc": _nvcc(),
            "packages": versions, "commit": commit, "sources": digest(root)}


def gpu() -> dict[str, str]:
    """What nvidia-smi tells of the first GPU; {} where it can't be asked."""
    told = _asked(*_ASKED)
    if told:
        return told
    found: dict[str, str] = {}
    for name in _ASKED:  # a driver that lacks one field refuses the whole question
        found |= _asked(name)
    return found


def _asked(*names: str) -> dict[str, str]:
    said = _said("nvidia-smi", f"--query-gpu={','.join(names)}", "--format=csv,noheader", "--id=0")
    values = [value.strip() for value in said.split(",")]
    if not said or "not a valid field" in said.lower() or len(values) != len(names):
        return {}
    return dict(zip(names, values, strict=True))


def _nvcc() -> str:
    try:
        return _said(nvcc.compiler(), "--version").splitlines()[-1]
    except (IrglError, IndexError):
        return "absent"


def _said(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def digest(root: Path) -> str:
    """A hash of the compiler, its headers, programs and benchmarks: what was measured, with or without a commit."""
    found = hashlib.sha256()
    for folder in ("irgl", "cpu_rt", "cuda_rt", "programs", "benchmarks"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".j2", ".irgl", ".cuh", ".hpp", ".h", ".cpp", ".cu") and path.is_file():
                found.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]
