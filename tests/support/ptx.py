"""Programs that nvcc has compiled, run on the CPU: tests/ptx interprets the PTX, and stands in for CUDA's libraries.

`build` and `run_jobs` are for those of simt_runs.py, so that what runs in the emulator runs here as well.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

from irgl.codegen.cxx.joined import joined
from irgl.rt.compile import nvcc
from irgl.rt.compile.toolchain import cache_dir
from irgl.rt.emulate import emulate
from irgl.rt.emulate.emulate import Report
from irgl.rt.manifests.manifest import Manifest
from support.places import TESTS
from support.simt_jobs import Job

SOURCES = TESTS / "ptx"
FLAGS = ("-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
         "-fno-strict-aliasing")
BITS = (32, 32)
ARCHITECTURE = "sm_75"


def missing() -> str:
    """Why nothing can run here; '' where it can."""
    if shutil.which("g++") is None:
        return "no g++"
    return "" if toolkit() is not None else "no nvcc of CUDA 13, whose runtime library is what tests/ptx stands in for"


@cache
def toolkit() -> Path | None:
    """The folder of the CUDA toolkit, with bin/nvcc and include/."""
    found = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if found is None:
        return None
    with tempfile.NamedTemporaryFile(suffix=".cu") as empty:  # nvcc may be a script that calls another
        said = subprocess.run([found, "--dryrun", "-c", empty.name, "-o", os.devnull], capture_output=True, text=True,
                              check=False).stderr
    top = re.search(r"^#\$ TOP=(.*)", said, re.MULTILINE)
    return Path(top[1]).resolve() if top is not None and "__CUDACC_VER_MAJOR__=13" in said else None


@cache
def stand_in() -> Path:
    """A toolkit's folder, from the cache or made now: bin/nvcc, and lib with libcudart.so.13 and libcuda.so.1."""
    home = toolkit()
    assert home is not None
    digest = hashlib.sha256(" ".join(FLAGS).encode())
    for path in sorted(p for p in SOURCES.iterdir() if p.suffix in (".cpp", ".hpp", ".map") or p.name == "nvcc"):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    place = cache_dir() / f"ptx-{digest.hexdigest()[:16]}"
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".tmp-ptx-", dir=place.parent) as name:
        folder = Path(name) / "toolkit"
        for below in ("bin", "lib"):
            (folder / below).mkdir(parents=True)
        shutil.copy2(SOURCES / "nvcc", folder / "bin")

        def compiled(source: Path) -> str:
            made = Path(name) / f"{source.stem}.o"
            _call(["g++", *FLAGS, f"-I{home / 'include'}", "-c", str(source), "-o", str(made)])
            return str(made)

        with ThreadPoolExecutor(2) as pool:
            objects = dict(zip(paths := sorted(SOURCES.glob("*.cpp")), pool.map(compiled, paths), strict=True))
        _call(["g++", "-shared", "-Wl,-soname,libcuda.so.1", objects.pop(SOURCES / "driver.cpp"),
               "-o", str(folder / "lib" / "libcuda.so.1")])
        _call(["g++", "-shared", "-Wl,-soname,libcudart.so.13", f"-Wl,--version-script={SOURCES / 'cudart.map'}",
               *objects.values(), "-o", str(folder / "lib" / "libcudart.so.13")])
        try:
            folder.rename(place)
        except OSError:
            assert place.is_dir()  # another process was faster
    return place


def _call(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def environment() -> dict[str, str]:
    """What a program that runs here, and who builds it, has in the environment."""
    home = toolkit()
    assert home is not None
    return {"NVCC": str(stand_in() / "bin" / "nvcc"), "PTX_NVCC": str(home / "bin" / "nvcc"),
            "LD_LIBRARY_PATH": str(stand_in() / "lib")}


def compile_text(text: str, folder: Path, *flags: str) -> Path:
    """The executable of a CUDA text."""
    source, made = folder / "program.cu", folder / "program"
    source.write_text(text)
    done = subprocess.run([str(SOURCES / "nvcc"), *nvcc.FLAGS, f"-arch={ARCHITECTURE}", *flags, str(source),
                           "-o", str(made)],
                          env={**os.environ, **environment()}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return made


def execute(executable: Path, arguments: Sequence[str] = (), given: Mapping[str, str] | None = None,
            seconds: int = 100) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(executable), *arguments], env={**os.environ, **environment(), **(given or {})},
                          capture_output=True, text=True, check=False, timeout=seconds)


def build(manifests: Sequence[Manifest]) -> Path:
    """One executable, which runs the unit whose number the variable UNIT gives."""
    text = replace(manifests[0], text=joined([m.text for m in manifests])).text + '\n#include "cuda_rt/process.cuh"\n'
    root = emulate.folder().parent
    defines = [f"IRGL_NODE_BITS={BITS[0]}", f"IRGL_EDGE_BITS={BITS[1]}"]
    before = dict(os.environ)
    os.environ.update(environment())
    try:
        return nvcc.build(text, root, defines, ARCHITECTURE)
    finally:
        os.environ.clear()
        os.environ.update(before)


def run_jobs(executable: Path, jobs: Sequence[Job]) -> list[Report]:
    """What each run did."""
    def run(job: Job) -> Report:
        given = {"PTX_SEED": str(job.seed), **job.environment}
        try:
            done = execute(executable, job.arguments, given)
        except subprocess.TimeoutExpired:
            return Report(142, "", "too long", (), {})
        return Report(done.returncode, done.stdout, done.stderr, (), {})

    return [run(job) for job in jobs]

