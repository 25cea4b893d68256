// A pointer chase runs into a cycle that has no root.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void roots(const int* parent, int* root) {
  int v = threadIdx.x;
  while (parent[v] != v) v = parent[v];  // fault: no-progress
  root[threadIdx.x] = v;
}

int main() {
  const int n = 32, m = 32;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = (i > 0 ? i - 1 : 31);
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  roots<<<1, 32>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 0) return 1;
  return 0;
}
