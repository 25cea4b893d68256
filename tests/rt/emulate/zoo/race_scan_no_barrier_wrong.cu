// In a scan by doubling, a value is overwritten while a neighbour may still read it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void scan(int* a) {
  __shared__ int slot[64];
  const int i = threadIdx.x;
  slot[i] = a[i];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    const int before = i >= step ? slot[i - step] : 0;  // fault: race
    slot[i] += before;  // or: race
    __syncthreads();
  }
  a[i] = slot[i];
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = 1;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  scan<<<1, 64>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != i + 1) return 1;
  return 0;
}
