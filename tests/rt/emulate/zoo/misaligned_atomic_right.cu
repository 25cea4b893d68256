// The 64-bit field comes first and is aligned.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void add(char* record) {
  atomicAdd(reinterpret_cast<unsigned long long*>(record + 8), 3ull);
}

int main() {
  unsigned long long h[2] = {};
  char* d;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemset(d, 0, sizeof h));
  add<<<1, 32>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  return h[1] == 96 ? 0 : 1;
}
