// Kernels of two devices write and read one array, ordered by an event.
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
__global__ void twice(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main() {
  int *a, *b, h[32];
  cudaEvent_t filled;
  check(cudaSetDevice(1));
  check(cudaDeviceEnablePeerAccess(0, 0));
  check(cudaMalloc(&b, sizeof h));
  check(cudaSetDevice(0));
  check(cudaEventCreate(&filled));
  check(cudaMalloc(&a, sizeof h));
  check(cudaMemset(a, 0, sizeof h));
  check(cudaDeviceSynchronize());
  fill<<<1, 32>>>(a);
  check(cudaEventRecord(filled, 0));
  check(cudaSetDevice(1));
  check(cudaStreamWaitEvent(0, filled, 0));
  twice<<<1, 32>>>(a, b);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaSetDevice(0));
  check(cudaDeviceSynchronize());
  check(cudaEventDestroy(filled));
  check(cudaFree(a));
  check(cudaFree(b));
  return h[31] == 62 ? 0 : 1;
}
