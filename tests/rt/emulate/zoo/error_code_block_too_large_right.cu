// The error of the launch is read; the block is then cut to a legal size.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void fill(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = i;
}
__global__ void last(const int* in, int n, int* out) {
  *out = in[n - 1];
}

int main() {
  int n = 2000, result = 0, *a, *out;
  check(cudaMalloc(&a, n * sizeof(int)));
  check(cudaMalloc(&out, sizeof(int)));
  fill<<<1, 2000>>>(a, n);
  if (cudaGetLastError() != cudaErrorInvalidConfiguration) return 2;
  fill<<<1, 1000>>>(a, n);
  check(cudaGetLastError());
  last<<<1, 1>>>(a, n, out);
  check(cudaGetLastError());
  check(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(a));
  check(cudaFree(out));
  return result == n - 1 ? 0 : 1;
}
