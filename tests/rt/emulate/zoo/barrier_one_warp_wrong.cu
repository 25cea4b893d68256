// Only the first warp calls the function with the barrier in it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__device__ int first_of_block(int x) {
  __shared__ int first;
  if (threadIdx.x == 0) first = x;
  __syncthreads();  // fault: barrier-missed
  return first;
}
__global__ void spread(int* a) {
  if (threadIdx.x < 32) a[threadIdx.x] = first_of_block(a[threadIdx.x]);
  else a[threadIdx.x] = 5;
}

int main() {
  const int n = 96;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i + 5;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  spread<<<1, 96>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 5) return 1;
  return 0;
}
