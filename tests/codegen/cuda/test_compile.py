"""irglc compile --target cuda, as docs/cuda.md says it: one file that nvcc makes a program and a shared library of."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irgl.rt.compile import nvcc
from irgl.source import IrglError

PROGRAM = """graph Graph { node int a = 1; }
long sum = 0;
Kernel add(Graph g) { ForAll (n In g.nodes) { sum += n.a; } }
Program main(Graph g) { Invoke add(g); }
"""

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def irglc(*words: str, folder: Path) -> str:
    done = run(sys.executable, "-m", "irgl", *words, folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with p.cu and the graph g.irglg."""
    folder = tmp_path_factory.mktemp("unit")
    (folder / "p.irgl").write_text(PROGRAM, encoding="utf-8")
    irglc("compile", "p.irgl", "--target", "cuda", "-o", "p.cu", folder=folder)
    irglc("graph", "convert", "grid:3x3", "g.irglg", folder=folder)
    return folder


def built(unit: Path, *more: str) -> None:
    flags = irglc("compile", "--target", "cuda", "--print-flags", folder=unit).split()
    done = run("nvcc", *flags, *more, "p.cu", folder=unit)
    assert done.returncode == 0, done.stderr


def test_a_program(unit: Path) -> None:
    built(unit, "-o", "p")
    done = run("./p", "g.irglg", folder=unit)
    try:
        nvcc.require_device()
    except IrglError:
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("irgl: CUDA: ")
        assert done.stderr.count("\n") == 1
    else:
        assert done.returncode == 0
        assert "sum 9\n" in done.stdout


def test_a_shared_library(unit: Path) -> None:
    built(unit, "-shared", "-Xcompiler", "-fPIC", "-o", "libp.so")
    assert ctypes.CDLL(str(unit / "libp.so")).irgl_run is not None


def test_headers_go_along_where_that_is_wanted(unit: Path) -> None:
    irglc("compile", "p.irgl", "--target", "cuda", "-o", "p.cu", "--headers", folder=unit)
    done = run("nvcc", *nvcc.FLAGS, "-arch=sm_90", "-cubin", "p.cu", "-o", "p.cubin", folder=unit)
    assert (done.returncode, done.stderr) == (0, "")


def test_headers_that_went_along_run_in_the_emulator_too(unit: Path) -> None:
    (unit / "own").mkdir()
    irglc("compile", "p.irgl", "--target", "cuda", "-o", "own/p.cu", "--headers", folder=unit)
    assert "sum 9\n" in irglc("emulate", "own/p.cu", "--", "g.irglg", folder=unit)
