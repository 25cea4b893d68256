// A shuffle reads from a lane that has left the kernel.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void from_last(int* a, int n) {
  const int lane = threadIdx.x;
  if (lane >= n) return;
  const int last = __shfl_sync((1u << n) - 1, a[lane], n);  // fault: inactive-lane
  a[lane] = last;
}

int main() {
  const int n = 24;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  from_last<<<1, 32>>>(d, 23);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != 23) return 1;
  return 0;
}
