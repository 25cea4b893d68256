"""The CUDA header library: the units of tests/cuda_rt in the emulator, and through nvcc where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.places import ROOT, TESTS

from irgl.rt.emulate.emulate import build, run

HERE = TESTS / "cuda_rt"
HEADERS = ROOT / "cuda_rt"
UNITS = sorted(path.stem for path in HERE.glob("*.cu"))
#: Those in which the order of threads matters most: warps in step, and every thread, warp and block in another order.
SHUFFLED = ["atomics", "bfs", "oriented", "sets"]

needs_gcc = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")


def built(unit: str) -> Path:
    return build(HERE / f"{unit}.cu", include=[ROOT, HERE], slim=True)


@needs_gcc
@pytest.mark.parametrize("unit", UNITS)
def test_unit_gives_the_right_answers_and_the_emulator_finds_no_fault(unit: str) -> None:
    report = run(built(unit), source=HERE / f"{unit}.cu")
    assert (report.code, [str(m) for m in report.messages]) == (0, []), report.stderr


@needs_gcc
@pytest.mark.parametrize("unit", SHUFFLED)
def test_unit_is_right_with_warps_in_step_and_threads_in_another_order(unit: str) -> None:
    report = run(built(unit), source=HERE / f"{unit}.cu", mode="lockstep", seed=7)
    assert (report.code, [str(m) for m in report.messages]) == (0, []), report.stderr


def nvcc(unit: str, *arguments: str, folder: Path) -> None:
    words = ["nvcc", "-std=c++17", "-O3", f"-I{ROOT}", "-Xcompiler", "-Wall", "--Werror", "all-warnings", *arguments]
    done = subprocess.run([*words, str(HERE / f"{unit}.cu"), "-o", str(folder / unit)], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_nvcc
@pytest.mark.parametrize("architecture", [75, 90, 120])
def test_unit_compiles_for_every_architecture_without_a_warning(architecture: int, tmp_path: Path) -> None:
    nvcc("bfs", "-cubin", f"-arch=sm_{architecture}", folder=tmp_path)


@needs_nvcc
@pytest.mark.parametrize("unit", ["gather", "respawn"])
def test_unit_compiles_for_device_without_a_warning(unit: str, tmp_path: Path) -> None:
    nvcc(unit, "-cubin", "-arch=sm_75", folder=tmp_path)


@needs_nvcc
@pytest.mark.parametrize("unit", ["oriented", "sets"])
def test_unit_compiles_for_host_and_device_without_a_warning(unit: str, tmp_path: Path) -> None:
    nvcc(unit, "-c", "-arch=sm_75", folder=tmp_path)


@needs_nvcc
@pytest.mark.parametrize("unit", ["gather", "loops"])
def test_what_a_block_combines_is_only_touched_by_atomics_between_barriers(unit: str, tmp_path: Path) -> None:
    """What looks at it besides is a race to compute-sanitizer's racecheck, which knows no volatile."""
    nvcc(unit, "-ptx", "-arch=sm_90", folder=tmp_path)
    assert re.findall(r"ld\.volatile\.shared\S*", (tmp_path / unit).read_text()) == []


@needs_nvcc
def test_wide_ids_compile_without_a_warning(tmp_path: Path) -> None:
    nvcc("bfs", "-cubin", "-arch=sm_80", "-DIRGL_NODE_BITS=64", "-DIRGL_EDGE_BITS=64", folder=tmp_path)


@pytest.mark.parametrize("header", sorted(HEADERS.rglob("*.cuh")), ids=lambda h: h.name)
def test_header_is_small(header: Path) -> None:
    lines = header.read_text().splitlines()
    assert len(lines) <= 200
    assert max(map(len, lines)) <= 120


def test_every_barrier_stands_on_a_line_of_its_own() -> None:
    """So that reports and race identities, which go by line, tell one from another."""
    crowded = [
        f"{header.name}: {line.strip()}"
        for header in HEADERS.rglob("*.cuh")
        for line in header.read_text().splitlines()
        if len(re.findall(r"__syncthreads\(\)|this_grid\(\)\.sync\(\)", line)) > 1
    ]
    assert crowded == []
