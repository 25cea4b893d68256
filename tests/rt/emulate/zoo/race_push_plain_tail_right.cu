// The tail of the worklist is moved by an atomic.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void filter(const int* in, int n, int* list, int* tail) {
  const int i = threadIdx.x;
  if (i >= n || in[i] % 3) return;
  const int at = atomicAdd(tail, 1);
  list[at] = in[i];
}

int main() {
  const int n = 60;
  int h[n], count = 0, sum = 0, *in, *list, *tail;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&list, sizeof h));
  check(cudaMalloc(&tail, sizeof(int)));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(tail, 0, sizeof(int)));
  filter<<<1, 64>>>(in, n, list, tail);
  check(cudaGetLastError());
  check(cudaMemcpy(&count, tail, sizeof count, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(h, list, count * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(list));
  check(cudaFree(tail));
  for (int i = 0; i < count; ++i) sum += h[i];
  return count == 20 && sum == 570 ? 0 : 1;
}
