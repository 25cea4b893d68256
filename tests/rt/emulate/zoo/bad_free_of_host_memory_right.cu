// Host memory is given to free, device memory to cudaFree.
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
  int *d, *h = static_cast<int*>(malloc(32 * sizeof(int)));
  check(cudaMalloc(&d, 32 * sizeof(int)));
  fill<<<1, 32>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  const int last = h[31];
  free(h);
  check(cudaFree(d));
  return last == 31 ? 0 : 1;
}
