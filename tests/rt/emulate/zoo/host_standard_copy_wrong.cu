// The host copies into device memory with the C library's memcpy.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void sum(const int* in, int* out) {
  atomicAdd(out, in[threadIdx.x]);
}

int main() {
  int h[33], total = 0, *d;
  for (int i = 0; i < 33; ++i) h[i] = i == 32 ? 0 : 2;
  check(cudaMalloc(&d, sizeof h));
  memcpy(d, h, sizeof h);  // fault: host-access
  sum<<<1, 32>>>(d, d + 32);
  check(cudaGetLastError());
  check(cudaMemcpy(&total, d + 32, sizeof total, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  return total == 64 ? 0 : 1;
}
