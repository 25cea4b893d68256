// The kernel comes first in the stream.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void count(int* a) {
  a[threadIdx.x] += 1;
}

int main() {
  int *d, h[32];
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaMallocAsync(&d, sizeof h, stream));
  check(cudaMemsetAsync(d, 0, sizeof h, stream));
  count<<<1, 32, 0, stream>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, stream));
  check(cudaFreeAsync(d, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));
  return h[31] - 1;
}
