// The branch is split, so that all threads of the block meet at the barrier.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void reverse(int* a, int n) {
  __shared__ int tile[64];
  const int i = threadIdx.x;
  if (i < n) tile[i] = a[i];
  __syncthreads();
  if (i < n) a[i] = tile[n - 1 - i];
}

int main() {
  const int n = 40;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 64>>>(d, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != n - 1 - i) return 1;
  return 0;
}
