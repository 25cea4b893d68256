// The host reads managed memory while the kernel that writes it may still run.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void fill(int* a) {
  a[threadIdx.x] = threadIdx.x;  // or: race
}

int main() {
  int* a;
  check(cudaMallocManaged(&a, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) a[i] = 0;
  fill<<<1, 32>>>(a);
  check(cudaGetLastError());
  const int last = a[31];  // fault: race
  check(cudaDeviceSynchronize());
  check(cudaFree(a));
  return last == 31 ? 0 : 1;
}
