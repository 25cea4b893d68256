"""SparseWeaver's unit: what is registered is handed out once, 32 items to a warp, by the unit and by software alike."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irgl.rt.emulate import emulate

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

#: Of each thread's range the items are counted and their places added up. SKIP is what a lane does with an item.
PROGRAM = """
#include "cuda_rt/weaver_unit.cuh"
constexpr int ROUNDS = 3, BLOCKS = 2, THREADS = 96;
__device__ int length(int v) { return v % 7 == 0 ? 0 : v % 11 == 0 ? 100 : v % 3; }
__global__ void k(int* count, int* places) {
  for (int round = 0; round < ROUNDS; round++) {
    const int v = (round * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    weaver_reg(v, 10 * v, length(v));
    __syncthreads();
    for (int of; weaver_any(of = weaver_dec_id());) {
      if (of == -1) continue;
      atomicAdd(&count[of], 1);
      atomicAdd(&places[of], int(weaver_dec_loc()) - 10 * of);
      SKIP
    }
    __syncthreads();
  }
}
int main() {
  constexpr int n = ROUNDS * BLOCKS * THREADS;
  static int h[2 * n];
  int* d;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  k<<<BLOCKS, THREADS>>>(d, d + n);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  for (int i = 0; i < 2 * n; i++) printf("%d ", h[i]);
}
"""
LENGTHS = [0 if v % 7 == 0 else 100 if v % 11 == 0 else v % 3 for v in range(3 * 2 * 96)]


def run(folder: Path, text: str, *, unit: bool, mode: str = "lockstep", seed: int = 0) -> emulate.Report:
    source = folder / "program.cu"
    source.write_text(text)
    report = emulate.run(emulate.build(source), [], source=source, mode=mode, seed=seed,
                         environment={"IRGL_EMU_WEAVER": "1"} if unit else {})
    assert (report.code, report.messages) == (0, ())
    return report


@pytest.mark.parametrize("mode", ["check", "lockstep"])
@pytest.mark.parametrize("unit", [False, True])
def test_every_item_is_handed_out_once(unit: bool, mode: str, tmp_path: Path) -> None:
    for seed in (0, 1, 5):
        report = run(tmp_path, PROGRAM.replace("SKIP", ""), unit=unit, mode=mode, seed=seed)
        assert [int(w) for w in report.stdout.split()] == LENGTHS + [n * (n - 1) // 2 for n in LENGTHS]


def test_the_unit_s_requests_are_full_but_for_a_block_s_last_and_entries_are_read_once(tmp_path: Path) -> None:
    counters = run(tmp_path, PROGRAM.replace("SKIP", ""), unit=True).counters
    own, parts = counters["own"], [sum(LENGTHS[k:k + 96]) for k in range(0, len(LENGTHS), 96)]
    assert own["weaver_registrations"] == own["weaver_st_reads"] == len(LENGTHS)
    assert own["weaver_decodes"] == sum(-(-n // 32) for n in parts)
    assert own["weaver_requests"] == own["weaver_decodes"] + 3 * len(parts)  # each warp asks once in vain
    assert own["weaver_lanes"] == sum(LENGTHS)
    assert counters["shared_atomics"] == {}


def test_software_counts_nothing_of_the_unit(tmp_path: Path) -> None:
    counters = run(tmp_path, PROGRAM.replace("SKIP", ""), unit=False).counters
    assert [name for name in counters["own"] if "weaver" in name] == []
    assert sum(counters["shared_atomics"].values()) > 0


@pytest.mark.parametrize("unit", [False, True])
def test_what_is_left_of_a_skipped_range_is_not_handed_out(unit: bool, tmp_path: Path) -> None:
    said = [int(w) for w in run(tmp_path, PROGRAM.replace("SKIP", "weaver_skip(of);"), unit=unit).stdout.split()]
    counts = said[:len(LENGTHS)]
    assert all(min(n, 1) <= count <= n for count, n in zip(counts, LENGTHS, strict=True))
    # Its 100 items are in four or five requests, of which three warps may have had one each before the first one skips.
    assert all(count <= 96 for count, n in zip(counts, LENGTHS, strict=True) if n == 100)
    assert sum(counts) < sum(LENGTHS) - 500


def test_warps_that_ask_again_and_again_take_turns(tmp_path: Path) -> None:
    text = """
#include "cuda_rt/weaver_unit.cuh"
__global__ void k(int* steps) {
  weaver_reg(threadIdx.x, 0, 8);
  __syncthreads();
  int own = 0;
  while (weaver_any(weaver_dec_id())) own++;
  if (threadIdx.x % 32 == 0) steps[threadIdx.x / 32] = own;
}
int main() {
  int h[4], *d;
  cudaMalloc(&d, sizeof h);
  k<<<1, 128>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d %d %d %d", h[0], h[1], h[2], h[3]);
}
"""
    assert run(tmp_path, text, unit=True).stdout == "8 8 8 8"
