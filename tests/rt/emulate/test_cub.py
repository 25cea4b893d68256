"""CUB in the emulator: what goes wrong in it is told at the user's line; the toolkit's CUB takes the same programs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support.places import TESTS

from irgl.rt.emulate.emulate import Report, build, run

HERE = TESTS / "rt" / "emulate" / "programs"
FAULTS = """#include <cub/block/block_reduce.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
__global__ void again(int* out) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ typename Reduce::TempStorage s;
  const int a = Reduce(s).Sum(threadIdx.x);
  const int b = Reduce(s).Sum(2 * threadIdx.x);
  if (threadIdx.x == 0) *out = a + b;
}
__global__ void small(int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage s;
  const int a = Reduce(s).Sum(1);
  if (threadIdx.x == 0) *out = a;
}
__global__ void some(int* out) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ typename Reduce::TempStorage s;
  if (threadIdx.x < 32) {
    const int a = Reduce(s).Sum(1);
    if (threadIdx.x == 0) *out = a;
  }
}
int main(int argc, char** argv) {
  int *out, *in;
  cudaMalloc(&out, 404);
  cudaMalloc(&in, 400);
  void* temp = nullptr;
  size_t bytes = 0;
  switch (argv[1][0]) {
    case 'a': again<<<1, 64>>>(out); break;
    case 'b': small<<<1, 64>>>(out); break;
    case 'c': some<<<1, 64>>>(out); break;
    case 'd':
      cub::DeviceReduce::Sum(temp, bytes, in, out, 100);
      cudaMalloc(&temp, bytes);
      cub::DeviceReduce::Sum(temp, bytes, in, out, 100);
      break;
    case 'e':
      cudaMemset(in, 0, 400);
      cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, 101);
      cudaMalloc(&temp, bytes);
      if (cub::DeviceRadixSort::SortKeys(temp, --bytes, in, out, 101) != cudaErrorInvalidValue) return 3;
      cub::DeviceRadixSort::SortKeys(temp, ++bytes, in, out, 101);
      break;
    case 'f':
      cudaMemset(in, 0, 400);
      cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, 100);
      cudaMalloc(&temp, bytes / 2);
      cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, 100);
  }
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
  cudaFree(temp);
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cub") / "faults.cu"
    path.write_text(FAULTS, encoding="utf-8")
    return path


def first(report: Report, source: Path) -> tuple[int, str, str, str]:
    found = report.errors[0]
    return report.code, found.kind, found.place.removeprefix(f"{source}:"), found.text.rpartition("; in kernel ")[2]


@pytest.mark.parametrize("mode", ["check", "lockstep"])
@pytest.mark.parametrize(("case", "kind", "lines", "kernel"), [
    pytest.param("a", "race", ("7", "8"), "again", id="storage used again without a barrier"),
    pytest.param("b", "launch", ("14",), "small", id="a block of another size"),
    pytest.param("c", "barrier-missed", ("21",), "some", id="a part of the block"),
    pytest.param("d", "uninitialised", ("38",), "cub::DeviceReduce", id="an array that nobody wrote"),
    pytest.param("e", "out-of-bounds", ("45",), "cub::DeviceRadixSort", id="more items than there are"),
    pytest.param("f", "out-of-bounds", ("51",), "cub::DeviceRadixSort", id="memory of half the size"),
])
def test_a_fault_in_cub_is_told_at_the_line_that_calls_it(
        source: Path, case: str, kind: str, lines: tuple[str, ...], kernel: str, mode: str) -> None:
    code, found, line, where = first(run(build(source), [case], source=source, mode=mode), source)
    assert (code, found, where) == (86, kind, kernel)
    assert line in lines


@pytest.mark.matrix
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
@pytest.mark.parametrize("name", ["cub_arrays", "cub_blocks", "cuda_std"])
def test_the_programs_are_right_for_nvccs_own_headers(name: str, tmp_path: Path) -> None:
    done = subprocess.run(["nvcc", "-std=c++17", "-arch=sm_90", "-c", str(HERE / f"{name}.cu"), "-o",
                           str(tmp_path / "unit.o")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
