"""Host memory of aligned allocations is followed like malloc's: how large it is, and what of it was written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irgl.rt.emulate import emulate

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

PROGRAM = r"""
#include <malloc.h>
#include <cstdlib>
int* made(int which, int bytes) {
  void* p = nullptr;
  switch (which) {
    case 0: return posix_memalign(&p, 64, bytes) == 0 ? (int*)p : nullptr;
    case 1: return (int*)aligned_alloc(64, bytes);
    case 2: return (int*)memalign(64, bytes);
    default: return (int*)valloc(bytes);
  }
}
__global__ void twice(int* p) { p[threadIdx.x] *= 2; }
int main(int, char** args) {
  int* const h = made(std::atoi(args[1]), 256);
  const int how = std::atoi(args[2]);
  for (int i = 0; i < 64 && how != 2; i++) h[i] = i;
  int* d;
  cudaMalloc(&d, 512);
  cudaMemset(d, 0, 512);
  cudaMemcpy(d, h, how == 1 ? 260 : 256, cudaMemcpyHostToDevice);  // here: beyond
  twice<<<1, 64>>>(d);  // here: unwritten
  cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);
  const int last = h[63];
  free(h);
  cudaFree(d);
  return last == 126 ? 0 : 1;
}
"""


@pytest.mark.parametrize("which", range(4), ids=["posix_memalign", "aligned_alloc", "memalign", "valloc"])
@pytest.mark.parametrize(("how", "code", "kind"), [(0, 0, None), (1, 86, "out-of-bounds"), (2, 86, "uninitialised")],
                         ids=["right", "beyond", "unwritten"])
def test_aligned_memory_is_followed(which: int, how: int, code: int, kind: str | None, tmp_path: Path) -> None:
    source = tmp_path.parent / "aligned.cu"  # one for all, so that it is built once
    source.write_text(PROGRAM)
    report = emulate.run(emulate.build(source), [str(which), str(how)], source=source)
    assert (report.code, next((m.kind for m in report.errors), None)) == (code, kind), report.stderr
