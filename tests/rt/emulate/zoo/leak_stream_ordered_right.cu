// Every round gives its allocation back.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void fill(int* a, int x) {
  a[threadIdx.x] = x;
}

int main() {
  int h[32];
  for (int round = 0; round < 3; ++round) {
    int* d;
    check(cudaMallocAsync(&d, sizeof h, 0));
    fill<<<1, 32>>>(d, round);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, 0));
    check(cudaStreamSynchronize(0));
    check(cudaFreeAsync(d, 0));
  }
  check(cudaStreamSynchronize(0));
  return h[31] == 2 ? 0 : 1;
}
