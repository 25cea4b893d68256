// The index steps over whole rows.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void mark(int* a, int rows, int columns) {
  const int y = threadIdx.y, x = threadIdx.x;
  if (y >= rows || x >= columns) return;
  a[y * columns + x] = 1;
}

int main() {
  const int n = 60;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = 0;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  mark<<<1, dim3(16, 8)>>>(d, 5, 12);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 1) return 1;
  return 0;
}
