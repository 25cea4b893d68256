// The first thread reads the element before the array.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void steps(const int* in, int* out) {
  const int i = threadIdx.x;
  out[i] = in[i] - in[i - 1];  // fault: out-of-bounds
}

int main() {
  const int n = 64, m = 64;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = 3 * i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  steps<<<1, 64>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != (i > 0 ? 3 : 0)) return 1;
  return 0;
}
