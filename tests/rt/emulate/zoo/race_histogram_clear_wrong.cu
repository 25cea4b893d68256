// A block's histogram is cleared by one thread while others may count already.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void histogram(const int* in, int* out) {
  __shared__ int count[8];
  if (threadIdx.x < 8) count[threadIdx.x] = 0;  // fault: race
  atomicAdd(&count[in[threadIdx.x]], 1);  // or: race, uninitialised
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = count[threadIdx.x];
}

int main() {
  const int n = 64, m = 8;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i % 8;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  histogram<<<1, 64>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 8) return 1;
  return 0;
}
