// All threads read the tail before a barrier; one resets it after.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void drain(const int* list, int* tail, int* out) {
  const int n = *tail;
  __syncthreads();
  if (threadIdx.x == 0) *tail = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(out, list[i]);
}

int main() {
  int h[50], n = 50, sum = 0, *list, *tail, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&list, sizeof h));
  check(cudaMalloc(&tail, sizeof(int)));
  check(cudaMalloc(&out, sizeof(int)));
  check(cudaMemcpy(list, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemcpy(tail, &n, sizeof n, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof(int)));
  drain<<<1, 64>>>(list, tail, out);
  check(cudaGetLastError());
  check(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(&n, tail, sizeof n, cudaMemcpyDeviceToHost));
  check(cudaFree(list));
  check(cudaFree(tail));
  check(cudaFree(out));
  return sum == 1225 && n == 0 ? 0 : 1;
}
