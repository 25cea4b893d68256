// A kernel of one device adds up an array of the other one, to which it was given no access.
// devices: 2
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
__global__ void sum(const int* in, int n, int* out) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += in[i];  // fault: peer
  *out = total;
}

int main() {
  int *a, *out, total = 0;
  check(cudaSetDevice(0));
  check(cudaMalloc(&a, 32 * sizeof(int)));
  fill<<<1, 32>>>(a);
  check(cudaDeviceSynchronize());
  check(cudaSetDevice(1));
  check(cudaMalloc(&out, sizeof(int)));
  sum<<<1, 1>>>(a, 32, out);
  check(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
  check(cudaFree(out));
  check(cudaFree(a));
  return total == 496 ? 0 : 1;
}
