// The least number stays as it is.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void kernel(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (a[i] < 0) a[i] = int(0u - unsigned(a[i]));
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = -2147483647 - (i % 2);
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  kernel<<<2, 32>>>(d, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i % 2 == 0 ? 2147483647 : -2147483647 - 1)) return 1;
  return 0;
}
