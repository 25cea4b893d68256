"""A lock of the CUDA headers hands on what its owner wrote, by plain stores too: the emulator finds no race."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.places import ROOT

from irgl.rt.emulate.emulate import build, run

UNIT = """#include <cstdio>
#include "cuda_rt/locks.cuh"
__global__ void count(irgl::DeviceRuntime c, irgl::Locks* guard, int* sums) {
  irgl::Thread t(c);
  irgl::locked(t, guard[0], [&] { sums[0] += 1; });
  while (!irgl::try_locked(t, guard[1], [&] { sums[1] += 1; })) {}
}
int main() {
  irgl::Locks* guard;
  int* sums;
  int found[2];
  cudaMalloc(&guard, 2 * sizeof *guard);
  cudaMalloc(&sums, sizeof found);
  cudaMemset(guard, 0, 2 * sizeof *guard);
  cudaMemset(sums, 0, sizeof found);
  count<<<3, 32>>>(irgl::DeviceRuntime{}, guard, sums);
  cudaMemcpy(found, sums, sizeof found, cudaMemcpyDeviceToHost);
  cudaFree(guard);
  cudaFree(sums);
  printf("%d %d\\n", found[0], found[1]);
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_what_the_owner_of_a_lock_wrote_the_next_one_finds(tmp_path: Path) -> None:
    unit = tmp_path / "locks.cu"
    unit.write_text(UNIT, encoding="utf-8")
    report = run(build(unit, include=[ROOT], defines=["IRGL_BLOCK=32"], slim=True), source=unit)
    assert ([str(m) for m in report.messages], report.stdout) == ([], "96 96\n")
