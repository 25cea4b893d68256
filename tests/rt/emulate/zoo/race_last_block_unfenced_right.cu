// The last block adds up what all blocks have written, each behind a fence and before its ticket.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__device__ unsigned tickets = 0;

__global__ void sum(const int* values, int* partial, int* result) {
  __shared__ bool is_last;
  __shared__ int all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  atomicAdd(&all, values[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = all;
    __threadfence();
    is_last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 1) return;
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
  *result = sum;
}

int main() {
  const int blocks = 6, threads = 64;
  int h[blocks * threads], *values, *partial, *result;
  for (int i = 0; i < blocks * threads; ++i) h[i] = i;
  check(cudaMalloc(&values, sizeof h));
  check(cudaMalloc(&partial, blocks * sizeof(int)));
  check(cudaMalloc(&result, sizeof(int)));
  check(cudaMemcpy(values, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<blocks, threads>>>(values, partial, result);
  check(cudaGetLastError());
  int found = 0;
  check(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
  check(cudaFree(values));
  check(cudaFree(partial));
  check(cudaFree(result));
  return found == blocks * threads * (blocks * threads - 1) / 2 ? 0 : 1;
}
