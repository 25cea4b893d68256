// Two blocks take two locks in opposite order, and each holds what the other waits for.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void both(int* lock, int* met, int* total) {
  const int first = blockIdx.x, second = 1 - first;
  while (atomicCAS(&lock[first], 0, 1) != 0) {
  }
  atomicAdd(met, 1);
  while (atomicAdd(met, 0) < 2) {
  }
  while (atomicCAS(&lock[second], 0, 1) != 0) {  // fault: no-progress
  }
  atomicAdd(total, 1);
  atomicExch(&lock[second], 0);
  atomicExch(&lock[first], 0);
}

int main() {
  int *lock, *met, *total, h = 0;
  check(cudaMalloc(&lock, 2 * sizeof(int)));
  check(cudaMalloc(&met, sizeof(int)));
  check(cudaMalloc(&total, sizeof(int)));
  check(cudaMemset(lock, 0, 2 * sizeof(int)));
  check(cudaMemset(met, 0, sizeof(int)));
  check(cudaMemset(total, 0, sizeof(int)));
  void* args[] = {&lock, &met, &total};
  check(cudaLaunchCooperativeKernel(both, 2, 1, args));
  check(cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(lock));
  check(cudaFree(met));
  check(cudaFree(total));
  return h == 2 ? 0 : 1;
}
