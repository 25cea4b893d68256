// Each buffer is freed once.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void fill(int* a, int x) {
  a[threadIdx.x] = x;
}

int main() {
  int *a, *b, h[32];
  check(cudaMalloc(&a, sizeof h));
  check(cudaMalloc(&b, sizeof h));
  fill<<<1, 32>>>(a, 1);
  fill<<<1, 32>>>(b, 2);
  check(cudaGetLastError());
  check(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(a));
  check(cudaFree(b));
  return h[0] == 2 ? 0 : 1;
}
