// The kernel counts into device memory, and the host copies the count.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void count(int* total) {
  atomicAdd(total, 1);
}

int main() {
  int total = 0;
  int* d;
  check(cudaMalloc(&d, sizeof total));
  check(cudaMemset(d, 0, sizeof total));
  count<<<1, 32>>>(d);
  check(cudaMemcpy(&total, d, sizeof total, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  return total == 32 ? 0 : 1;
}
