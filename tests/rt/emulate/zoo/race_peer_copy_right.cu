// A copy to another device, in a stream of that one, waits for the kernel that writes what it copies.
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
  cudaStream_t first, second;
  cudaEvent_t filled;
  check(cudaSetDevice(1));
  check(cudaStreamCreate(&second));
  check(cudaMalloc(&b, sizeof h));
  check(cudaSetDevice(0));
  check(cudaStreamCreate(&first));
  check(cudaEventCreate(&filled));
  check(cudaMalloc(&a, sizeof h));
  fill<<<1, 32, 0, first>>>(a);
  check(cudaEventRecord(filled, first));
  check(cudaStreamWaitEvent(second, filled, 0));
  check(cudaMemcpyPeerAsync(b, 1, a, 0, sizeof h, second));
  check(cudaStreamSynchronize(second));
  check(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaStreamDestroy(first));
  check(cudaStreamDestroy(second));
  check(cudaEventDestroy(filled));
  check(cudaFree(a));
  check(cudaFree(b));
  return h[31] == 31 ? 0 : 1;
}
