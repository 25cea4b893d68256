// The host copies into device memory with cudaMemcpy.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

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
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(d, d + 32);
  check(cudaGetLastError());
  check(cudaMemcpy(&total, d + 32, sizeof total, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  return total == 64 ? 0 : 1;
}
