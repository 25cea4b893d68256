// The doubles come first, the ints behind them.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void scale(int* a, int n) {
  extern __shared__ double real[];
  int* whole = reinterpret_cast<int*>(real + n);
  const int i = threadIdx.x;
  if (i >= n) return;
  whole[i] = a[i];
  real[i] = 0.5 * whole[i];
  a[i] = int(2 * real[i]) + 1;
}

int main() {
  const int n = 31;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  scale<<<1, 32, 31 * (sizeof(int) + sizeof(double))>>>(d, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != i + 1) return 1;
  return 0;
}
