// A push past the capacity is counted, not written.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void expand(const int* in, int n, int* list, int capacity, int* tail) {
  const int i = threadIdx.x;
  if (i >= n) return;
  for (int copy = 0; copy < in[i]; ++copy) {
    const int at = atomicAdd(tail, 1);
    if (at < capacity) list[at] = i;
  }
}

int main() {
  const int n = 40, capacity = 60;
  int h[n], count = 0, *in, *list, *tail;
  for (int i = 0; i < n; ++i) h[i] = 2;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&list, capacity * sizeof(int)));
  check(cudaMalloc(&tail, sizeof(int)));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(tail, 0, sizeof(int)));
  expand<<<1, 64>>>(in, n, list, capacity, tail);
  check(cudaGetLastError());
  check(cudaMemcpy(&count, tail, sizeof count, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(list));
  check(cudaFree(tail));
  return count == 2 * n ? 0 : 1;
}
