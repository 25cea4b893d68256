// Every thread of the block makes the same number of trips, with or without an item.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void shift(int* a, int n) {
  for (int first = 0; first < n - 1; first += blockDim.x) {
    const int i = first + threadIdx.x;
    const int next = i < n - 1 ? a[i + 1] : 0;
    __syncthreads();
    if (i < n - 1) a[i] = next;
    __syncthreads();
  }
}

int main() {
  const int n = 97;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  shift<<<1, 64>>>(d, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i < 96 ? i + 1 : 96)) return 1;
  return 0;
}
