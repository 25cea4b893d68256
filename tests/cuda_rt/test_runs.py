"""Values of a warp's lanes combined along runs of neighbours: each run's last lane has what the run has together."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from irgl.rt.emulate import emulate

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")

#: Runs of every length up to 32 and mixtures of them, with 32 lanes and fewer, each lane's value its own.
PROGRAM = """
#include "cuda_rt/collective.cuh"
constexpr int cases = 400;
__host__ __device__ unsigned drawn(unsigned x) {
  x = (x ^ 61 ^ x >> 16) * 9u, x = (x ^ x >> 4) * 0x27d4eb2du;
  return x ^ x >> 15;
}
__host__ __device__ unsigned key_of(int c, int lane) {
  unsigned key = 0;
  for (int i = 1; i <= lane; i++) key += c < 32 ? i % (c + 1) == 0 : drawn(c * 32 + i) % (c % 9 + 1) == 0;
  return key;
}
__host__ __device__ int value_of(int c, int lane) { return int(drawn(77 * c + lane) % 2001) - 1000; }
__host__ __device__ unsigned count_of(int c) { return c % 3 == 0 ? 32 : drawn(c) % 33; }

__global__ void combine(int* out) {
  using namespace irgl;
  using namespace irgl::detail;
  const int lane = int(lane_id());
  for (int c = 0; c < cases; c++) {
    const unsigned count = count_of(c), lanes = count == 32 ? all_lanes : (1u << count) - 1;
    const bool valid = unsigned(lane) < count;
    const unsigned heads = run_heads(key_of(c, lane));
    const int v = value_of(c, lane);
    const int sum = run_reduce<Add>(valid ? v : 0, heads, lanes);
    const double wide = run_reduce<Add>(valid ? double(v) : 0.0, heads, lanes);
    const int least = run_reduce<Min>(valid ? v : 9999, heads, lanes);
    const bool some = run_reduce<Or>(valid && v % 8 == 0, heads, lanes);
    const bool every = run_reduce<And>(!valid || v % 8 != 0, heads, lanes);
    if (ends_run(heads, lanes)) {
      int* const mine = out + (c * 32 + lane) * 5;
      mine[0] = sum, mine[1] = int(wide), mine[2] = least, mine[3] = some, mine[4] = every;
    }
  }
}
int main() {
  static int got[cases * 32 * 5];
  int* d;
  cudaMalloc(&d, sizeof got);
  cudaMemset(d, 0x55, sizeof got);
  combine<<<1, 32>>>(d);
  cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(d);
  int runs = 0;
  for (int c = 0; c < cases; c++) {
    const int count = int(count_of(c));
    int sum = 0, least = 9999;
    bool some = false, every = true;
    for (int lane = 0; lane < 32; lane++) {
      const int* const mine = got + (c * 32 + lane) * 5;
      const int v = value_of(c, lane);
      const bool valid = lane < count, last = lane == count - 1 || key_of(c, lane + 1) != key_of(c, lane);
      if (valid) sum += v, least = v < least ? v : least, some |= v % 8 == 0, every &= v % 8 != 0;
      const int want[5] = {sum, sum, least, some, every};
      for (int k = 0; k < 5; k++)
        if (mine[k] != (valid && last ? want[k] : 0x55555555)) printf("case %d, lane %d, value %d\\n", c, lane, k);
      if (last) sum = 0, least = 9999, some = false, every = true, runs += valid;
    }
  }
  printf("%d runs\\n", runs > 1000);
}
"""


@pytest.mark.parametrize("mode", ["check", "lockstep"])
def test_the_last_lane_of_each_run_has_its_value_and_no_other_lane_is_one(mode: str, tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text(PROGRAM)
    built = emulate.build(source, include=(emulate.folder().parent,), defines=(
        "IRGL_BLOCK=32", "IRGL_NODE_BITS=32", "IRGL_EDGE_BITS=32"))
    report = emulate.run(built, [], source=source, mode=mode)
    assert (report.code, report.stdout, report.messages) == (0, "1 runs\n", ())
