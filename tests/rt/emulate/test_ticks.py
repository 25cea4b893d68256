"""The emulator's clock may tick anywhere: between any two instructions of the program's and of the runtime's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irgl.rt.emulate import emulate

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

PROGRAM = r"""
#include <pthread.h>
#include <signal.h>
#include <atomic>
#include <cstdio>
#include <thread>
__global__ void turned(int* p) {
  __shared__ int all[10000];
  all[threadIdx.x] = p[blockIdx.x];
  __syncthreads();
  p[blockIdx.x] = all[0] + 1;
}
int main() {
  int *d, h[400] = {};
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  const pthread_t first = pthread_self();
  std::atomic<bool> stop{false};
  std::thread clock([&] {
    while (!stop) pthread_kill(first, SIGVTALRM);
  });
  for (int i = 0; i < 20; i++) turned<<<400, 1>>>(d);
  stop = true;
  clock.join();
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  int right = 0;
  for (const int x : h) right += x == 20;
  std::printf("%d\n", right);
}
"""


@pytest.mark.parametrize("mode", emulate.MODES)
def test_a_tick_while_shared_memory_changes_hands_does_no_harm(mode: str, tmp_path: Path) -> None:
    source = tmp_path / "p.cu"
    source.write_text(PROGRAM)
    report = emulate.run(emulate.build(source), source=source, mode=mode, timeout=60)
    assert (report.code, report.stdout, report.stderr) == (0, "400\n", "")
