"""Sectors that the emulator finds in its caches, which it counts in lockstep."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from irgl.rt.emulate import emulate

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

#: Reads so many KiB of ints, a warp after the other, in each of so many kernels; how is the body of the loop.
READS = """
__device__ int sink;
__global__ void pass(int* a, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) { HOW; }
  if (sum == 77) sink = sum;
}
int main() {
  int *a, n = KIB * 256;
  cudaMalloc(&a, n * sizeof *a);
  cudaMemset(a, 0, n * sizeof *a);
  for (int i = 0; i < PASSES; i++) pass<<<BLOCKS, 64>>>(a, n);
  cudaDeviceSynchronize();
  cudaFree(a);
}
"""


def counted(tmp_path: Path, kib: int, how: str = "sum += a[i]", *, passes: int = 1, blocks: int = 1, l1: int = 0,
            l2: int = 64) -> Mapping[str, Any]:
    text = READS.replace("HOW", how)
    for name, value in (("KIB", kib), ("PASSES", passes), ("BLOCKS", blocks)):
        text = text.replace(name, str(value))
    source = tmp_path / "program.cu"
    source.write_text(text)
    counters = emulate.run(emulate.build(source), [], source=source, mode="lockstep",
                           environment={"IRGL_EMU_L1": str(l1), "IRGL_EMU_L2": str(l2)}).counters
    assert counters["l1_sectors"] + counters["l2_sectors"] == counters["transactions"]
    assert counters["dram_sectors"] <= counters["l2_sectors"]
    return counters


def test_a_second_pass_over_what_fits_into_l2_asks_memory_for_nothing(tmp_path: Path) -> None:
    counters = counted(tmp_path, 64, passes=2)
    assert (counters["l2_sectors"], counters["dram_sectors"]) == (2 * 2048, 2048)


def test_a_second_pass_over_twice_of_l2_asks_memory_for_all(tmp_path: Path) -> None:
    counters = counted(tmp_path, 128, passes=2)
    assert (counters["l2_sectors"], counters["dram_sectors"]) == (2 * 4096, 2 * 4096)


def test_l1_has_what_a_kernel_has_loaded_and_no_kernel_before(tmp_path: Path) -> None:
    counters = counted(tmp_path, 16, "sum += a[i], sum += a[i ^ 1]", passes=2, l1=64)
    assert (counters["l1_sectors"], counters["l2_sectors"], counters["dram_sectors"]) == (2 * 512, 2 * 512, 512)


def test_each_multiprocessor_has_an_l1_of_its_own(tmp_path: Path) -> None:
    counters = counted(tmp_path, 16, blocks=5, l1=64)  # of 4 multiprocessors, one runs two blocks
    assert (counters["l1_sectors"], counters["l2_sectors"], counters["dram_sectors"]) == (512, 4 * 512, 512)


@pytest.mark.parametrize("how", ["sum += *(volatile int*)&a[AT]", "a[AT] = 1", "sum += atomicAdd(&a[AT], 1)",
                                 "sum += __ldcg(&a[AT])"])
def test_what_others_must_see_goes_past_l1(tmp_path: Path, how: str) -> None:
    counters = counted(tmp_path, 4, f"{how.replace('AT', 'i')}, {how.replace('AT', 'i ^ 1')}", l1=64)
    assert (counters["l1_sectors"], counters["l2_sectors"], counters["dram_sectors"]) == (0, 2 * 128, 128)


def test_without_caches_all_is_asked_of_memory(tmp_path: Path) -> None:
    counters = counted(tmp_path, 16, passes=2, l1=0, l2=0)
    assert counters["dram_sectors"] == counters["transactions"] == 2 * 512
