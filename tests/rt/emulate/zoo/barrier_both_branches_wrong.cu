// Two different barriers on the two sides of a branch: the threads of one block stand at both.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void swap_halves(int* a) {
  __shared__ int low[32], high[32];
  const int i = threadIdx.x;
  if (i < 32) {
    low[i] = a[i];
    __syncthreads();  // fault: barrier-mixed
    a[i] = high[i];
  } else {
    high[i - 32] = a[i];
    __syncthreads();  // or: barrier-mixed
    a[i] = low[i - 32];
  }
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  swap_halves<<<1, 64>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i + 32) % 64) return 1;
  return 0;
}
