// The host reads pinned memory while the copy into it may still be under way.
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
  int *d, *h;
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaMallocHost(&h, 32 * sizeof(int)));
  check(cudaMalloc(&d, 32 * sizeof(int)));
  fill<<<1, 32, 0, stream>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  const int last = h[31];  // fault: uninitialised
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));
  check(cudaFree(d));
  check(cudaFreeHost(h));
  return last == 31 ? 0 : 1;
}
