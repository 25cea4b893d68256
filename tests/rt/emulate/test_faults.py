"""Faults that irglc emulate tells of, several in one program: each run of it makes the one that its argument names."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from irgl.rt.emulate import emulate

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

PROGRAM = r"""
#include <cstdlib>
__device__ int n;
__constant__ float table[4];
__global__ void register_loop(int* p, unsigned m) {
  unsigned x = 1;
  while (x != m) x = x * 3 % 1001;  // here: register_loop
  *p = x;
}
__global__ void barrier_loop(int* p) {
  __shared__ int done;
  do {
    __syncthreads();  // here: barrier_loop
    if (threadIdx.x == 0) done = p[0];
    __syncthreads();  // here: barrier_loop
  } while (!done);
}
__global__ void vote_loop(int* p) {
  while (!__any_sync(~0u, p[1] != 0)) {}  // here: vote_loop
}
__device__ __noinline__ int depth(int k) {
  return k == 0 ? 0 : depth(k + 1) + 1;  // here: recursion
}
__global__ void recursion(int* p) { *p = depth(1); }
__global__ void large_local(int* p, int at) {
  int own[120000];
  for (int i = 0; i < 120000; i += 1000) own[i] = at + i;
  atomicAdd(p, own[at] - at - 3000);
}
__global__ void swap_loop(int* p) {
  int seen = *p, old;  // here: swap
  do {
    old = seen;
    seen = atomicCAS(p, old, old + 1);
  } while (seen != old);
}
__global__ void peek(int* p) {
  atomicAdd(p, 1);  // here: peek
  if (*p > 5) p[threadIdx.x] = 1;  // here: peek
}
__global__ void count(int* p) { atomicAdd(p, 1); }
int main(int, char** args) {
  int *p, h[4] = {};
  cudaMalloc(&p, 16);
  cudaMemset(p, 0, 16);
  switch (std::atoi(args[1])) {
    case 0: register_loop<<<1, 1>>>(p, 2000); break;
    case 1: barrier_loop<<<1, 64>>>(p); break;
    case 2: vote_loop<<<1, 32>>>(p); break;
    case 3: recursion<<<1, 1>>>(p); break;
    case 4: large_local<<<2, 3>>>(p, 3000); break;
    case 5: cudaMemcpy(h, &n, 4, cudaMemcpyDeviceToHost); break;  // here: copy
    case 6: count<<<1, 1>>>(&n); break;  // here: argument
    case 7: cudaMemset(table, 0, 16); break;  // here: fill
    case 8: {
      int** rows;
      cudaMalloc(&rows, 16);
      cudaMalloc(&rows[1], 16);  // here: row
      break;
    }
    case 9: {
      void* q;
      cudaGetSymbolAddress(&q, n);
      cudaMemset(q, 0, 4);
      count<<<1, 1>>>((int*)q);
      cudaMemcpy(h, &n, 4, cudaMemcpyDeviceToHost);
      cudaMemcpyFromSymbol(h, n, 4);
      std::exit(h[0] != 1 + (cudaFree(p), 0));
    }
    case 10: swap_loop<<<2, 40>>>(p); break;
    case 11: peek<<<1, 4>>>(p); break;
  }
  cudaMemcpy(h, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
}
"""
#: In the order of the program's cases: what is told, and where.
FAULTS = [
    ("register_loop", "no-progress"),
    ("barrier_loop", "no-progress"),
    ("vote_loop", "no-progress"),
    ("recursion", "out-of-bounds"),
    ("", ""),
    ("copy", "host-access"),
    ("argument", "host-access"),
    ("fill", "host-access"),
    ("row", "host-access"),
    ("", ""),
    ("swap", ""),
    ("peek", "race"),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("faults") / "faults.cu"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("mode", ["check", "lockstep"])
@pytest.mark.parametrize("case", range(len(FAULTS)))
def test_a_fault_is_told_with_its_line(source: Path, case: int, mode: str) -> None:
    where, kind = FAULTS[case]
    short = {} if where == "recursion" else {"IRGL_EMU_LONG_PATIENCE": "300000"}
    report = emulate.run(emulate.build(source), [str(case)], source=source, mode=mode, environment=short)
    assert report.code == (86 if kind else 0), report.stderr
    assert [m.kind for m in report.warnings] == ["cas-read"] * (where == "swap")
    for message in (report.errors or report.warnings)[:1] if where else []:
        lines = [i for i, line in enumerate(PROGRAM.splitlines(), 1) if f"// here: {where}" in line]
        line = int(message.place.rpartition(":")[2])
        assert message.kind == (kind or "cas-read") and {line, line + 1} & set(lines), report.stderr
    assert kind != "host-access" or case == 8 or re.search(r"`(n|table)`", report.stderr)


FRUITLESS = """#include <cstdio>
__global__ void look(int* x, int* out) {
  for (int i = 0; i < ROUNDS; i++) *out += atomicOr(x, 0);
}
int main() {
  int *x, out = -1;
  cudaMalloc(&x, 8);
  cudaMemset(x, 0, 8);
  look<<<1, 1>>>(x, x + 1);
  cudaMemcpy(&out, x + 1, 4, cudaMemcpyDeviceToHost);
  printf("%d\\n", out);
  cudaFree(x);
}
"""


@pytest.mark.parametrize("mode", ["check", "lockstep"])
@pytest.mark.parametrize(("rounds", "code"), [(200_000, 0), (10_000_000, 86)])
def test_a_lane_by_itself_may_look_at_one_address_as_often_as_elsewhere(rounds: int, code: int, mode: str,
                                                                        tmp_path: Path) -> None:
    source = tmp_path / "p.cu"
    source.write_text(FRUITLESS)
    assert emulate.run(emulate.build(source, defines=[f"ROUNDS={rounds}"]), source=source, mode=mode).code == code
