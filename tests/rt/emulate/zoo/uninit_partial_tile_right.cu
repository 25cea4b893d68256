// Threads without an item fill the tile with a neutral value.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void tile_sum(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int i = threadIdx.x;
  tile[i] = i < n ? in[i] : 0;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum += tile[k];
  if (i == 0) *out = sum;
}

int main() {
  const int n = 50, m = 1;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = 1;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  tile_sum<<<1, 64>>>(in, out, n);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 50) return 1;
  return 0;
}
