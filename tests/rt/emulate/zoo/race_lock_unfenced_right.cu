// A lock is released behind a fence, and its next holder reads behind another one.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__device__ int mutex = 0;
__device__ int total = 0;

__global__ void add() {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence();
  total = total + 1;
  __threadfence();
  atomicExch(&mutex, 0);
}

int main() {
  add<<<20, 32>>>();
  check(cudaGetLastError());
  int found = 0;
  check(cudaMemcpyFromSymbol(&found, total, sizeof found));
  return found == 20 ? 0 : 1;
}
