// A loop around a barrier whose trip count differs between the threads of a block.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void shift(int* a, int n) {
  for (int i = threadIdx.x; i < n - 1; i += blockDim.x) {
    const int next = a[i + 1];
    __syncthreads();  // fault: barrier-missed
    a[i] = next;
    __syncthreads();
  }
}

int main() {
  const int n = 97;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  shift<<<1, 64>>>(d, n);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i < 96 ? i + 1 : 96)) return 1;
  return 0;
}
