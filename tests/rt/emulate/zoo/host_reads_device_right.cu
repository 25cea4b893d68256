// The host reads its own copy.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void fill(int* a) {
  a[threadIdx.x] = threadIdx.x;
}

int main() {
  int *d, h = 0;
  check(cudaMalloc(&d, 32 * sizeof(int)));
  fill<<<1, 32>>>(d);
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(&h, d + 31, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  return h == 31 ? 0 : 1;
}
