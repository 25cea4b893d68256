// Lanes that name each other come with one mask.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void twice(int* a) {
  __shared__ int slot[32];
  const int lane = threadIdx.x;
  slot[lane] = a[lane];
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  a[lane] = slot[lane ^ 1] * 2;
}

int main() {
  const int n = 32;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  twice<<<1, 32>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i ^ 1) * 2) return 1;
  return 0;
}
