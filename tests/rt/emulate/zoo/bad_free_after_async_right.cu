// The buffer is freed in stream order only.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void fill(int* a) {
  a[threadIdx.x] = threadIdx.x;
}

int main() {
  int *d, h[32];
  check(cudaMallocAsync(&d, sizeof h, 0));
  fill<<<1, 32>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, 0));
  check(cudaFreeAsync(d, 0));
  check(cudaStreamSynchronize(0));
  return h[31] == 31 ? 0 : 1;
}
