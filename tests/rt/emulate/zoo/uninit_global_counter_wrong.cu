// A counter on the device is never set before it is added to.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void count(int* total) {
  atomicAdd(total, 1);  // fault: uninitialised
}

int main() {
  int *total, h = 0;
  check(cudaMalloc(&total, sizeof(int)));
  count<<<1, 32>>>(total);
  check(cudaGetLastError());
  check(cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(total));
  return h == 32 ? 0 : 1;
}
