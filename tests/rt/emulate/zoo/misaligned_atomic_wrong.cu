// A 64-bit atomic works on a field that lies at a multiple of four bytes.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void add(char* record) {
  atomicAdd(reinterpret_cast<unsigned long long*>(record + 4), 3ull);  // fault: misaligned
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
