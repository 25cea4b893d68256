// The helper with the barrier is called at one place, by all threads of the block.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__device__ __forceinline__ int meet(int* slot, int value) {
  slot[threadIdx.x] = value;
  __syncthreads();
  return slot[threadIdx.x ^ 1];
}
__global__ void neighbours(int* a) {
  __shared__ int slot[64];
  const int x = a[threadIdx.x];
  const int other = meet(slot, x);
  a[threadIdx.x] = x % 4 < 2 ? other : 10 + other;
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  neighbours<<<1, 64>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i ^ 1) + (i % 4 < 2 ? 0 : 10)) return 1;
  return 0;
}
