// Access to another device's memory goes one way: each device was let into the other one.
// devices: 2
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void exchange(int* mine, int* other) {
  const int v = mine[threadIdx.x];
  mine[threadIdx.x] = other[threadIdx.x];
  other[threadIdx.x] = v;
}

int main() {
  int *a[2], h[2][32];
  for (int d = 0; d < 2; ++d) {
    check(cudaSetDevice(d));
    check(cudaMalloc(&a[d], sizeof h[d]));
    check(cudaMemset(a[d], d, sizeof h[d]));
    check(cudaDeviceSynchronize());
  }
  check(cudaSetDevice(0));
  check(cudaDeviceEnablePeerAccess(1, 0));
  check(cudaSetDevice(1));
  check(cudaDeviceEnablePeerAccess(0, 0));
  for (int d = 0; d < 2; ++d) {
    check(cudaSetDevice(d));
    exchange<<<1, 32>>>(a[d], a[1 - d]);
    check(cudaDeviceSynchronize());
  }
  for (int d = 0; d < 2; ++d) {
    check(cudaMemcpy(h[d], a[d], sizeof h[d], cudaMemcpyDeviceToHost));
    check(cudaFree(a[d]));
  }
  return h[0][5] == 0 && h[1][5] == 0x01010101 ? 0 : 1;
}
