// Bits are set by an atomic.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void mark(const int* in, unsigned* bits) {
  const int v = in[threadIdx.x];
  if (v % 3 == 0) atomicOr(&bits[v / 32], 1u << (v % 32));
}

int main() {
  int h[64], *in;
  unsigned result[2], *bits;
  for (int i = 0; i < 64; ++i) h[i] = (i * 29) % 64;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&bits, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(bits, 0, sizeof result));
  mark<<<1, 64>>>(in, bits);
  check(cudaGetLastError());
  check(cudaMemcpy(result, bits, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(bits));
  for (int v = 0; v < 64; ++v)
    if ((result[v / 32] >> (v % 32) & 1) != (v % 3 == 0)) return 1;
  return 0;
}
