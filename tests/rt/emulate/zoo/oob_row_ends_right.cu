// Row offsets have n + 1 elements.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void degrees(const int* row, int* out, int n) {
  const int v = threadIdx.x;
  if (v < n) out[v] = row[v + 1] - row[v];
}

int main() {
  const int n = 51, m = 50;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = 2 * i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  degrees<<<1, 64>>>(in, out, m);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 2) return 1;
  return 0;
}
