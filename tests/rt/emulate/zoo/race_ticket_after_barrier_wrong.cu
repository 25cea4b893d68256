// The last block adds up what all threads have written, but only the one with the ticket has a fence.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__device__ unsigned tickets = 0;

__global__ void columns(int* partial, int* result) {
  __shared__ bool is_last;
  const unsigned t = threadIdx.x;
  partial[blockIdx.x * blockDim.x + t] = t;
  if (t == 0) __threadfence();
  __syncthreads();
  if (t == 0) is_last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b * blockDim.x + t];  // fault: race
  result[t] = sum;
}

int main() {
  const int blocks = 24, threads = 256;
  int found[threads], *partial, *result;
  check(cudaMalloc(&partial, blocks * threads * sizeof(int)));
  check(cudaMalloc(&result, threads * sizeof(int)));
  columns<<<blocks, threads>>>(partial, result);
  check(cudaGetLastError());
  check(cudaMemcpy(found, result, sizeof found, cudaMemcpyDeviceToHost));
  check(cudaFree(partial));
  check(cudaFree(result));
  return found[threads - 1] == blocks * (threads - 1) ? 0 : 1;
}
