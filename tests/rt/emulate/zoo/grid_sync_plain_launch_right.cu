// A kernel with a barrier for the whole grid is launched cooperatively.
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

__global__ void mirror(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = a[n - 1 - i];
  cg::this_grid().sync();
  a[i] = x;
}

int main() {
  const int n = 128;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  int size = n; void* args[] = {&d, &size}; check(cudaLaunchCooperativeKernel(mirror, 4, 32, args));
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 127 - i) return 1;
  return 0;
}
