// The number of rounds, each with a grid barrier, is a block's own.
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

__global__ void count_down(int* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < int(blockIdx.x) + 1; ++round) {
    grid.sync();  // fault: grid-sync
    --a[i];
  }
}

int main() {
  const int n = 96;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = 10;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  void* args[] = {&d}; check(cudaLaunchCooperativeKernel(count_down, 3, 32, args));
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 10 - (i / 32 + 1)) return 1;
  return 0;
}
