// One block waits for its own threads where the others wait for the grid.
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

__global__ void rotate(const int* in, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  const int i = grid.thread_rank();
  const int x = in[(i + 32) % n];
  if (blockIdx.x == 0) __syncthreads();
  else grid.sync();  // fault: grid-sync
  out[i] = x;
}

int main() {
  const int n = 128, m = 128;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  int size = n; void* args[] = {&in, &out, &size}; check(cudaLaunchCooperativeKernel(rotate, 4, 32, args));
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != (i + 32) % 128) return 1;
  return 0;
}
