// A second barrier keeps the base until every thread has read it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void copy(const int* in, int n, int* out, int* tail) {
  __shared__ int base;
  for (int first = 0; first < n; first += blockDim.x) {
    if (threadIdx.x == 0) base = atomicAdd(tail, blockDim.x);
    __syncthreads();
    out[base + threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
  }
}

int main() {
  const int n = 256;
  int h[n], sum = 0, *in, *out, *tail;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof h));
  check(cudaMalloc(&tail, sizeof(int)));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(tail, 0, sizeof(int)));
  copy<<<1, 64>>>(in, n, out, tail);
  check(cudaGetLastError());
  check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  check(cudaFree(tail));
  for (int i = 0; i < n; ++i) sum += h[i];
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
