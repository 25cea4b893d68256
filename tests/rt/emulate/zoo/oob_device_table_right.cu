// The index is held to the table's length.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__device__ const int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
__global__ void look_up(int* a) {
  const int* t = table;
  a[threadIdx.x] = t[min(a[threadIdx.x], 7)];
}

int main() {
  const int n = 9;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  look_up<<<1, 9>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i < 8 ? 1 << i : 128)) return 1;
  return 0;
}
