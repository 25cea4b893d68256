// A thread whose value has come down to zero stays for the barriers.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void add_neighbours(int* a) {
  __shared__ int slot[64];
  const int i = threadIdx.x;
  int x = a[i], sum = 0;
  for (int trip = 0; trip < 4; ++trip) {
    slot[i] = x;
    __syncthreads();
    sum += slot[i ^ 1];
    __syncthreads();
    if (x > 0) --x;
  }
  a[i] = sum;
}

int main() {
  const int n = 64;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i % 3;
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  add_neighbours<<<1, 64>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != ((i ^ 1) % 3 == 2 ? 3 : (i ^ 1) % 3)) return 1;
  return 0;
}
