// A tile of the whole warp sums in a branch that half of its threads take.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void sums(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int x = in[threadIdx.x];
  if (threadIdx.x % 32 < 16) {
    for (int step = 8; step > 0; step /= 2) x += tile.shfl_xor(x, step);  // fault: mask
  }
  block.sync();
  out[threadIdx.x] = x;
}

int main() {
  const int n = 32, m = 32;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = 1;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  sums<<<1, 32>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != (i < 16 ? 16 : 1)) return 1;
  return 0;
}
