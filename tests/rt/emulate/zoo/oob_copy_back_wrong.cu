// More is copied back than was allocated on the device.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void fill(char* a) {
  a[threadIdx.x] = 1;
}

int main() {
  char h[64 * sizeof(int)] = {}, *d;
  check(cudaMalloc(&d, 64));
  fill<<<1, 64>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));  // fault: out-of-bounds
  check(cudaFree(d));
  return h[63] == 1 ? 0 : 1;
}
