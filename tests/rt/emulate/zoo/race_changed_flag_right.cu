// A barrier stands between the last test of the flag and its clearing.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void settle(int* a) {
  __shared__ int changed, slot[64];
  const int i = threadIdx.x;
  slot[i] = a[i];
  if (i == 0) changed = 1;
  __syncthreads();
  while (changed) {
    __syncthreads();
    if (i == 0) changed = 0;
    const int smaller = i > 0 ? min(slot[i], slot[i - 1]) : slot[i];
    __syncthreads();
    if (smaller != slot[i]) {
      slot[i] = smaller;
      atomicExch(&changed, 1);
    }
    __syncthreads();
  }
  a[i] = slot[i];
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = (i < 5 ? 10 - i : 20);
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  settle<<<1, 64>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i < 5 ? 10 - i : 6)) return 1;
  return 0;
}
