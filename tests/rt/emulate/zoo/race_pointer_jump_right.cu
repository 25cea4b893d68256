// Pointers are followed and halved through volatile accesses, for any value read leads to the root.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void jump(volatile int* parent, int n) {
  const int v = threadIdx.x;
  if (v >= n) return;
  int p = parent[v];
  while (p != parent[p]) {
    p = parent[p];
    parent[v] = p;
  }
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = (i > 0 ? i - 1 : 0);
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  jump<<<1, 64>>>(d, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 0) return 1;
  return 0;
}
