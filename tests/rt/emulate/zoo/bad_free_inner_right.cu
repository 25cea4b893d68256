// The buffer is freed by the pointer that it was allocated by.
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
  int *pool, h[32];
  check(cudaMalloc(&pool, 2 * sizeof h));
  int* upper = pool + 32;
  fill<<<1, 32>>>(upper);
  check(cudaGetLastError());
  check(cudaMemcpy(h, upper, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(pool));
  return h[31] == 31 ? 0 : 1;
}
