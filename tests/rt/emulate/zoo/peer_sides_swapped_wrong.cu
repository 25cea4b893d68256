// A copy between devices names them in the wrong order.
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

int main() {
  int *a, *b, h[32];
  check(cudaSetDevice(1));
  check(cudaMalloc(&b, sizeof h));
  check(cudaSetDevice(0));
  check(cudaMalloc(&a, sizeof h));
  fill<<<1, 32>>>(a);
  check(cudaMemcpyPeer(b, 0, a, 1, sizeof h));  // fault: peer
  check(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(a));
  check(cudaFree(b));
  return h[31] == 31 ? 0 : 1;
}
