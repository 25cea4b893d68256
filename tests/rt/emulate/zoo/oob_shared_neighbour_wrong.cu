// Through a pointer, a thread writes past one shared array into the next.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__device__ void put(int* slots, int at, int x) {
  slots[at] = x;  // fault: out-of-bounds
}
__global__ void split(int* a) {
  __shared__ int low[32], high[32];
  const int i = threadIdx.x;
  if (i < 32) high[i] = 7;
  __syncthreads();
  if (i < 40) put(low, i, a[i]);
  __syncthreads();
  if (i < 32) a[i] = low[i] + high[i];
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  split<<<1, 64>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i < 32 ? i + 7 : i)) return 1;
  return 0;
}
