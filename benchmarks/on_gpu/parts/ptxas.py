"""Registers, spills and shared memory of every kernel, as ptxas tells them; needs nvcc and no GPU."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from irgl.rt.compile import nvcc
from irgl.source import IrglError
from on_gpu.specs import ROOT
from on_gpu.suite import EVALUATED, Suite
from on_gpu.units import manifest_of

PART = "ptxas"
_KERNEL = re.compile(
    r"Compiling entry function '(?P<name>\w+)' for '(?P<for>\w+)'.*?(?P<stack>\d+) bytes stack frame, "
    r"(?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?Used (?P<registers>\d+) registers"
    r"(?P<rest>[^\n]*)", re.DOTALL)


def run(suite: Suite) -> None:
    try:
        compiler = nvcc.compiler()
    except IrglError as e:
        suite.record.leave_out(PART, f"everything: {e.message}")
        return
    plans = ("default",) if suite.quick else ("default", EVALUATED["none"])
    # Large programs first: they take as long as all others.
    programs = sorted(suite.programs()[:1 if suite.quick else None], key=lambda p: not suite.takes_mesh(p))
    jobs = [(program, plan) for program in programs for plan in plans]
    with ThreadPoolExecutor(len(jobs) if suite.quick else 16) as pool:
        for (program, plan), found in zip(jobs, pool.map(lambda j: _asked(suite, compiler, *j), jobs), strict=True):
            if isinstance(found, str):
                suite.record.leave_out(PART, f"{program} under {plan}: {found}")
                continue
            for kernel in found:
                suite.record.row(PART, {"program": program, "plan": plan, **kernel})


def _asked(suite: Suite, compiler: str, program: str, plan: str) -> list[dict[str, Any]] | str:
    try:
        text = manifest_of(Path(suite.file(program)), plan, "cuda").text
    except IrglError as e:
        return str(e).splitlines()[0]
    if suite.left() <= 0:
        return "the time was over"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "unit.cu"
        source.write_text(text, encoding="utf-8")
        command = [compiler, *nvcc.FLAGS, f"-arch={suite.given.arch}", "-cubin", "-Xptxas", "-v", f"-I{ROOT}",
                   "-DIRGL_NODE_BITS=32", "-DIRGL_EDGE_BITS=32", str(source), "-o", f"{folder}/unit.cubin"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=max(1.0, suite.left()))
        except subprocess.TimeoutExpired:
            return "the time was over"
    if done.returncode != 0:
        return next((line for line in done.stderr.splitlines() if "error" in line), "nvcc fails")
    return kernels(done.stderr)


def kernels(told: str) -> list[dict[str, Any]]:
    """What `ptxas -v` says of each kernel."""
    found = []
    for block in re.split(r"(?=ptxas info\s+: Compiling entry)", told):
        m = _KERNEL.search(block)
        if m is not None:
            shared = re.search(r"(\d+) bytes smem", m["rest"])
            found.append({"kernel": _readable(m["name"]), "for": m["for"], "registers": int(m["registers"]),
                          "stack": int(m["stack"]), "spill_stores": int(m["stores"]), "spill_loads": int(m["loads"]),
                          "shared": int(shared[1]) if shared is not None else 0})
    return found


def _readable(name: str) -> str:
    if shutil.which("c++filt") is None:
        return name
    done = subprocess.run(["c++filt", "-p", name], capture_output=True, text=True, check=False)
    return done.stdout.strip() or name
