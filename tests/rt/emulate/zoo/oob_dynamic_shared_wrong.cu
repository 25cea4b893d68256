// The launch gives the dynamic shared array one byte per element instead of four.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void reverse(int* a) {
  extern __shared__ int tile[];
  const int i = threadIdx.x, n = blockDim.x;
  tile[i] = a[i];  // fault: out-of-bounds
  __syncthreads();
  a[i] = tile[n - 1 - i];
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, n, n>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 63 - i) return 1;
  return 0;
}
