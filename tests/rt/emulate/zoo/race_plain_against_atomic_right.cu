// Both paths lower the value by an atomic.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void lower(int* level, const int* to, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  if (i % 2) atomicMin(&level[to[i]], i);
  else atomicMin(&level[to[i]], i + 1);
}

int main() {
  const int n = 64;
  int h[n], result[8], *level, *to;
  for (int i = 0; i < n; ++i) h[i] = i % 7;
  for (int v = 0; v < 8; ++v) result[v] = 99;
  check(cudaMalloc(&level, sizeof result));
  check(cudaMalloc(&to, sizeof h));
  check(cudaMemcpy(level, result, sizeof result, cudaMemcpyHostToDevice));
  check(cudaMemcpy(to, h, sizeof h, cudaMemcpyHostToDevice));
  lower<<<1, 64>>>(level, to, n);
  check(cudaGetLastError());
  check(cudaMemcpy(result, level, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(level));
  check(cudaFree(to));
  for (int v = 0; v < 7; ++v)
    if (result[v] != (v % 2 ? v : v + 1)) return 1;
  return 0;
}
