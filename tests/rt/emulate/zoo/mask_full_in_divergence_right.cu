// All lanes of the warp take part in the shuffle.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void total(int* a, int n) {
  int x = threadIdx.x < n ? a[threadIdx.x] : 0;
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
  __syncthreads();
  if (threadIdx.x < n) a[threadIdx.x] = x;
}

int main() {
  const int n = 20;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = 2;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  total<<<1, 32>>>(d, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 40) return 1;
  return 0;
}
