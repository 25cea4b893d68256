"""NVIDIA's compiler and GPU, where there are any."""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from irgl.rt.compile.blame import own_fault
from irgl.rt.compile.build import cached, refused
from irgl.rt.compile.compiling import compile_with
from irgl.rt.compile.toolchain import cache_dir, version
from irgl.source import IrglError

#: Besides the architecture: floats are rounded as written, and whole numbers wrap around, on both sides.
FLAGS = ("-std=c++17", "-O3", "--fmad=false", "-Xcompiler",
         "-fwrapv,-ffp-contract=off,-fno-trapping-math,-fno-loop-unroll-and-jam")
#: Of a library: what it holds, CUDA's own runtime included, is not mixed up with what other libraries hold.
SHARED = ("-shared", "-Xcompiler", "-fPIC,-fno-gnu-unique", "-Xlinker", "--exclude-libs=ALL")

#: What nvcc takes from the environment besides, in front of its arguments and behind them.
VARIABLES = ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS")

#: The first CUDA whose graphs loop by themselves, as generated code has them.
OLDEST = (12, 4)

#: The driver's numbers of the two parts of a compute capability (CUdevice_attribute).
_MAJOR, _MINOR = 75, 76


def compiler() -> str:
    """nvcc: $NVCC, in PATH, or in CUDA's usual folder. Raises IrglError where there is none."""
    chosen = os.environ.get("NVCC", "").strip()
    for name in (chosen,) if chosen else ("nvcc", "/usr/local/cuda/bin/nvcc"):
        found = shutil.which(name)
        if found is not None:
            return found
    if chosen:
        raise IrglError(f"NVCC names `{chosen}`, which can't be run", hint="unset NVCC, or name a CUDA compiler")
    raise IrglError("there is no nvcc", hint="install the CUDA toolkit (12.4 or later), or set NVCC; "
                    "--target simt runs the same code without it")


def name() -> str:
    """What to call nvcc in a command for people: its path, or the plain word where it isn't installed here."""
    try:
        return compiler()
    except IrglError:
        return "nvcc"


def require_device() -> None:
    """Raises IrglError where no CUDA device can be used, with the reason."""
    compiler()
    architecture()


def architecture(device: int = 0) -> str:
    """What nvcc calls the machine code of a GPU of this process, as sm_90. Raises IrglError where it can't be used."""
    hint = "--target simt runs the same code without a GPU"
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise IrglError("there is no NVIDIA driver", hint=hint) from None
    count, handle, major, minor = (ctypes.c_int(0) for _ in range(4))
    code = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
    if code == 0 and count.value > device:
        code = (driver.cuDeviceGet(ctypes.byref(handle), device)
                or driver.cuDeviceGetAttribute(ctypes.byref(major), _MAJOR, handle)
                or driver.cuDeviceGetAttribute(ctypes.byref(minor), _MINOR, handle))
    if code != 0 or count.value <= device:
        raise IrglError(f"no CUDA device can be used (the driver says {code})", hint=hint)
    return f"sm_{major.value}{minor.value}"


def build(text: str, root: Path, defines: Sequence[str], target: str = "", *, shared: bool = False) -> Path:
    """The executable of a unit with a main, or the shared library of one without, from the cache or built now.

    root: where cuda_rt/ is found. target: an architecture; '' for that of the first GPU, which the cache is asked by:
    other machines may share it. Raises IrglError where there is no nvcc, or no GPU to build for, or nvcc refuses C++
    of the program's own; RefusedCodeError where it refuses irgl's.
    """
    words = [compiler(), *FLAGS, *(SHARED if shared else ()), f"-arch={target or architecture()}", f"-I{root}",
             *(f"-D{d}" for d in defines)]
    digest = hashlib.sha256()
    for part in (text, *words, *(os.environ.get(v, "") for v in VARIABLES), version((words[0],)), _headers(root)):
        digest.update(part.encode() + b"\0")

    def make(path: Path) -> None:
        with tempfile.TemporaryDirectory(prefix=f".tmp-{os.getpid()}-", dir=path.parent) as folder:
            source, output = Path(folder) / "unit.cu", Path(folder) / "unit"
            source.write_text(text, encoding="utf-8")
            done = compile_with([*words, str(source), "-o", str(output)])
            if done.returncode != 0:
                _refuse_broken(words, Path(folder))
                said = done.stderr + done.stdout
                raise own_fault(text, source, said) or refused(text, words, kept, said, "the CUDA")
            output.replace(path)

    key = digest.hexdigest()
    kept = cache_dir() / "build" / f"{key}.cu"
    return cached(key, ".so" if shared else ".cuda", make).path


def _refuse_broken(words: Sequence[str], folder: Path) -> None:
    """Raises IrglError where nvcc is too old, or fails with next to no text, too."""
    told = re.search(r"release (\d+)\.(\d+)", version((words[0],)))
    if told is not None and (int(told[1]), int(told[2])) < OLDEST:
        raise IrglError(f"nvcc is of CUDA {told[1]}.{told[2]}", hint="nvcc 12.4 or later is needed")
    probe = folder / "probe.cu"
    probe.write_text("__global__ void irgl_probe() {}\nint main() { irgl_probe<<<1, 1>>>(); }\n", encoding="utf-8")
    done = compile_with([*words, str(probe), "-o", str(folder / "probe")])
    if done.returncode != 0:
        said = (done.stderr + done.stdout).splitlines()
        lines = [line.strip() for line in said if "error" in line] or said[:1]
        raise IrglError(f"`{words[0]}` can't be used: {lines[0] if lines else 'it fails and gives no reason'}",
                        hint="nvcc 12.4 or later is needed, and a C++ compiler that it knows")


def _headers(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted([*(root / "cuda_rt").rglob("*.cuh"), *(root / "cpu_rt").glob("*.hpp")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
