// A variable array in device memory is written past its end.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__device__ int count[16];
__device__ void add(int* where, int at) {
  atomicAdd(where + at, 1);  // fault: out-of-bounds
}
__global__ void clear() {
  count[threadIdx.x] = 0;
}
__global__ void histogram(const int* in) {
  add(count, in[threadIdx.x]);
}

int main() {
  int h[32], result[16], *in;
  for (int i = 0; i < 32; ++i) h[i] = i % 17;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  clear<<<1, 16>>>();
  histogram<<<1, 32>>>(in);
  check(cudaGetLastError());
  check(cudaMemcpyFromSymbol(result, count, sizeof result));
  check(cudaFree(in));
  return result[0] == 2 && result[14] == 2 && result[15] == 2 ? 0 : 1;
}
