// Every block waits for the grid equally often.
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

__global__ void rotate(int* a, int n) {
  cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  const int x = a[(i + 32) % n];
  grid.sync();
  a[i] = x;
}

int main() {
  const int n = 128;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  int size = n; void* args[] = {&d, &size}; check(cudaLaunchCooperativeKernel(rotate, 4, 32, args));
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i + 32) % 128) return 1;
  return 0;
}
