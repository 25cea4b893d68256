// The buffer is freed on every way out.
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

static int run(int n) {
  int *total, h = 0;
  if (n == 0) return 0;
  check(cudaMalloc(&total, sizeof(int)));
  check(cudaMemset(total, 0, sizeof(int)));
  count<<<1, n>>>(total);
  check(cudaGetLastError());
  check(cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(total));
  return h;
}

int main() {
  return run(7) == 7 && run(0) == 0 ? 0 : 1;
}
