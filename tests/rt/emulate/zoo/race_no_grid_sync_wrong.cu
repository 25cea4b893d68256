// Two phases of a cooperative kernel, one writing what the other reads, without the grid's barrier.
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

__global__ void two_phases(int* a, int* b, int n) {
  cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  a[i] = 2 * i;  // fault: race
  __syncthreads();
  b[i] = a[n - 1 - i];  // or: race
}

int main() {
  const int n = 128, m = 128;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = 0;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  int size = n; void* args[] = {&in, &out, &size}; check(cudaLaunchCooperativeKernel(two_phases, 4, 32, args));
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 2 * (127 - i)) return 1;
  return 0;
}
