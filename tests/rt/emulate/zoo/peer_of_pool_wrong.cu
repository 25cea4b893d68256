// Memory of a pool is opened to another device by its pool, and not by cudaDeviceEnablePeerAccess.
// devices: 2
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void fill(int* a) {
  a[threadIdx.x] = threadIdx.x;  // fault: peer
}

int main() {
  int *a, h[32];
  check(cudaSetDevice(0));
  check(cudaMallocAsync(&a, sizeof h, 0));
  check(cudaDeviceSynchronize());
  check(cudaSetDevice(1));
  check(cudaDeviceEnablePeerAccess(0, 0));
  fill<<<1, 32>>>(a);
  check(cudaDeviceSynchronize());
  check(cudaSetDevice(0));
  check(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFreeAsync(a, 0));
  check(cudaDeviceSynchronize());
  return h[31] == 31 ? 0 : 1;
}
