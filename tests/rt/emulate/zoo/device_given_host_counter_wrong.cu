// A kernel counts into a variable on the host's stack.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void count(int* total) {
  atomicAdd(total, 1);  // fault: device-access
}

int main() {
  int total = 0;
  count<<<1, 32>>>(&total);
  check(cudaDeviceSynchronize());
  return total == 32 ? 0 : 1;
}
