"""Thrust in the emulator: faults are told at the user's line; the toolkit's Thrust agrees on programs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.places import TESTS

from irgl.rt.emulate.emulate import STANDARDS, build, folder, run

HERE = TESTS / "rt" / "emulate" / "programs"
FAULTS = HERE / "thrust_faults.cu"
PROGRAMS = sorted(path for path in HERE.glob("thrust_*.cu") if path != FAULTS)


def line(text: str) -> str:
    """Where in the program of faults this text is first."""
    lines = FAULTS.read_text(encoding="utf-8").splitlines()
    return f"{FAULTS}:{next(i for i, said in enumerate(lines, 1) if text in said)}"


@pytest.mark.parametrize(("case", "kind", "at", "kernel"), [
    pytest.param("race", "race", "degree[source[e]] += 1", "for_each", id="a function that races"),
    pytest.param("functor", "out-of-bounds", "return values[i + 1]", "transform", id="a function's wrong index"),
    pytest.param("map", "out-of-bounds", "thrust::gather(", "gather", id="a map that leads outside"),
    pytest.param("twice", "race", "thrust::scatter(", "scatter", id="a map that leads twice to one element"),
    pytest.param("died", "use-after-free", "*to = *p", "", id="a pointer into a vector that is gone"),
    pytest.param("moved", "use-after-free", "thrust::reduce(thrust::device, old", "reduce", id="into a grown one"),
    pytest.param("unwritten", "uninitialised", "thrust::reduce(thrust::device, p,", "reduce", id="unwritten input"),
    pytest.param("host", "host-access", "p[3] = 5", None, id="the host writes by a raw pointer"),
    pytest.param("no_policy", "host-access", "thrust::sort(p, p + 10)", None, id="raw pointers without a policy"),
    pytest.param("device", "device-access", "thrust::sort(thrust::device, v", "sort", id="a vector of the host"),
    pytest.param("element", "out-of-bounds", "v[10]", None, id="an element past the end"),
    pytest.param("output", "out-of-bounds", "thrust::copy_if(", "copy_if", id="an output without room"),
    pytest.param("leak", "leak", "thrust::device_malloc<int>(100)", None, id="memory that is never freed"),
])
def test_a_fault_is_told_at_the_line_of_the_program(case: str, kind: str, at: str, kernel: str | None) -> None:
    report = run(build(FAULTS), [case], source=FAULTS)
    assert report.code == 86
    assert [(m.kind, m.place) for m in report.errors] == [(kind, line(at))]
    assert "/emu/include/" not in report.stderr
    if kernel is not None:
        assert report.errors[0].text.endswith(f"; in kernel {'thrust::' + kernel if kernel else 'first'}")


@pytest.mark.parametrize("mode", ["lockstep", "fast"])
def test_the_other_modes_compute_the_same(mode: str) -> None:
    source = HERE / "thrust_components.cu"
    assert run(build(source), source=source, mode=mode, seed=3).stdout == "50 components, the largest of 16, 0 wrong\n"


@pytest.mark.matrix
@pytest.mark.parametrize("std", STANDARDS)
def test_each_header_stands_alone(std: str) -> None:
    include = folder() / "emu" / "include"
    for header in sorted((include / "thrust").rglob("*.h")):
        words = ["g++", f"-std={std}", "-Wall", "-Wextra", "-fsyntax-only", "-x", "c++", f"-I{include}", "-"]
        text = f"#include <{header.relative_to(include)}>\n"
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, "/thrust/" in done.stderr) == (0, False), done.stderr


def together(paths: list[Path], calls: str) -> str:
    """All programs as one text, each in a namespace of its own."""
    texts = [path.read_text(encoding="utf-8") for path in paths]
    included = sorted({row for text in texts for row in re.findall(r"^#include .*$", text, re.MULTILINE)})
    bodies = [f"namespace {path.stem} {{\n{re.sub(r'(?m)^#include .*$', '', text)}\n}}\n"
              for path, text in zip(paths, texts, strict=True)]
    return "\n".join([*included, *bodies, f"int main() {{ return {calls}; }}\n"])


def toolkit() -> Path | None:
    """The folder of the toolkit's headers."""
    found = shutil.which("nvcc")
    if found is None:
        return None
    said = subprocess.run([found, "-dryrun", "-c", "-x", "cu", "/dev/null"], capture_output=True, text=True,
                          check=False)
    here = re.search(r'^#\$ INCLUDES="-I([^"]*)"', said.stderr, re.MULTILINE)
    return Path(here[1].strip().strip('"')) if here is not None else None


@pytest.mark.matrix
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
@pytest.mark.parametrize("path", [*PROGRAMS, FAULTS], ids=lambda path: str(path.stem))
def test_nvcc_takes_the_programs_with_its_own_headers(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(["nvcc", "-std=c++17", "--extended-lambda", "-arch=sm_90", "-c", str(path), "-o",
                           str(tmp_path / "unit.o")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(toolkit() is None, reason="there is no CUDA toolkit")
def test_the_programs_say_the_same_with_the_toolkits_thrust_on_the_host(tmp_path: Path) -> None:
    plain = [path for path in PROGRAMS if "__global__" not in path.read_text(encoding="utf-8")]
    unit, include = tmp_path / "all.cpp", toolkit()
    unit.write_text(together(plain, " + ".join(f"{path.stem}::main()" for path in plain)), encoding="utf-8")
    done = subprocess.run(["g++", "-std=c++17", "-w", "-D__host__=", "-D__device__=", f"-I{include}/cccl",
                           f"-I{include}", "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP", str(unit), "-o",
                           str(tmp_path / "all")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    real = subprocess.run([str(tmp_path / "all")], capture_output=True, text=True, check=False)
    ours = "".join(run(build(path), source=path).stdout for path in plain)
    assert (real.returncode, real.stdout) == (0, ours)
