// The buffer is freed after the kernel.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

int main() {
  int h[32], *in, *out;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof h));
  check(cudaMemset(in, 0, sizeof h));
  copy<<<1, 32>>>(in, out);
  check(cudaFree(in));
  check(cudaGetLastError());
  check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(out));
  return h[31];
}
