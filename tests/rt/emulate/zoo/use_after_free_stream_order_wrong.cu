// A buffer is freed in stream order before the kernel that needs it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void count(int* a) {
  a[threadIdx.x] += 1;  // fault: use-after-free
}

int main() {
  int *d, h[32];
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaMallocAsync(&d, sizeof h, stream));
  check(cudaMemsetAsync(d, 0, sizeof h, stream));
  check(cudaFreeAsync(d, stream));
  count<<<1, 32, 0, stream>>>(d);
  check(cudaGetLastError());
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));
  return 0;
}
