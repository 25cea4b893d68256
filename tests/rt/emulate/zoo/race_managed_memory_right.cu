// The host waits for the kernel, then reads.
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
  int* a;
  check(cudaMallocManaged(&a, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) a[i] = 0;
  fill<<<1, 32>>>(a);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  const int last = a[31];
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
  return last == 31 ? 0 : 1;
}
