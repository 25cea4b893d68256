// The error code is tested; the grid is then cut to what the device holds at once.
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

__global__ void ones(int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < n; i += grid.num_threads()) out[i] = 1;
  grid.sync();
}
__global__ void sum(const int* in, int n, int* out) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += in[i];
  *out = total;
}

int main() {
  int n = 100, total = 0, *a, *out, blocks = 0, processors = 0;
  check(cudaMalloc(&a, n * sizeof(int)));
  check(cudaMalloc(&out, sizeof(int)));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, ones, 256, 0));
  void* args[] = {&a, &n};
  const cudaError_t error = cudaLaunchCooperativeKernel(ones, blocks * processors + 1, 256, args);
  if (error != cudaErrorCooperativeLaunchTooLarge) return 2;
  (void)cudaGetLastError();
  check(cudaLaunchCooperativeKernel(ones, 2, 256, args));
  sum<<<1, 1>>>(a, n, out);
  check(cudaGetLastError());
  check(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
  check(cudaFree(a));
  check(cudaFree(out));
  return total == 100 ? 0 : 1;
}
