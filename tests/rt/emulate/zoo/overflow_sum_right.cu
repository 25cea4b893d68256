// A distance grows by a weight as an unsigned number, which wraps around.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void kernel(int* distance, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int there = int(unsigned(distance[i]) + 3u);
  if (there < distance[i]) distance[i] = -1;
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i % 2 == 0 ? 2147483647 : i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  kernel<<<2, 32>>>(d, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i % 2 == 0 ? -1 : i)) return 1;
  return 0;
}
