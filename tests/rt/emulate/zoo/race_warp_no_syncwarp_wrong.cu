// Lanes of one warp exchange values through shared memory without __syncwarp.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void total(int* a) {
  __shared__ int slot[32];
  const int lane = threadIdx.x;
  slot[lane] = a[lane];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    if (lane < step) slot[lane] += slot[lane + step];  // fault: race
  }
  __syncwarp();
  a[lane] = slot[0];
}

int main() {
  const int n = 32;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = 2;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  total<<<1, 32>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 64) return 1;
  return 0;
}
