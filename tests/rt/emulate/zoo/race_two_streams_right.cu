// The second stream waits for an event of the first.
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
  cudaStream_t first, second;
  cudaEvent_t filled;
  check(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  check(cudaEventCreate(&filled));
  check(cudaMalloc(&a, sizeof h));
  check(cudaMalloc(&b, sizeof h));
  check(cudaMemset(a, 0, sizeof h));
  check(cudaDeviceSynchronize());
  fill<<<1, 32, 0, first>>>(a);
  check(cudaEventRecord(filled, first));
  check(cudaStreamWaitEvent(second, filled, 0));
  twice<<<1, 32, 0, second>>>(a, b);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaEventDestroy(filled));
  check(cudaStreamDestroy(first));
  check(cudaStreamDestroy(second));
  check(cudaFree(a));
  check(cudaFree(b));
  return h[31] == 62 ? 0 : 1;
}
