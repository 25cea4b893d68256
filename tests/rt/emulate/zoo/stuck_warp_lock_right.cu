// The critical section stands inside the loop, so that the holder releases before the next trip.
// options: --mode lockstep
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void count(int* lock, int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      atomicAdd(total, 1);
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  int *lock, *total, h = 0;
  check(cudaMalloc(&lock, sizeof(int)));
  check(cudaMalloc(&total, sizeof(int)));
  check(cudaMemset(lock, 0, sizeof(int)));
  check(cudaMemset(total, 0, sizeof(int)));
  count<<<1, 32>>>(lock, total);
  check(cudaGetLastError());
  check(cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(lock));
  check(cudaFree(total));
  return h == 32 ? 0 : 1;
}
