// Memory of one device is freed while a kernel of the other one may still read it: cudaFree waits for its own device only.
// devices: 2
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void twice(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main() {
  int *a, *b, h[32];
  check(cudaSetDevice(0));
  check(cudaMalloc(&a, sizeof h));
  check(cudaMemset(a, 1, sizeof h));
  check(cudaDeviceSynchronize());
  check(cudaSetDevice(1));
  check(cudaDeviceEnablePeerAccess(0, 0));
  check(cudaMalloc(&b, sizeof h));
  twice<<<1, 32>>>(a, b);
  check(cudaFree(a));  // fault: use-after-free
  check(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(b));
  return h[31] == 0x02020202 ? 0 : 1;
}
