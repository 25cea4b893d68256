// A list grows into a new buffer and forgets the old one.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void append(int* items, int first, int n) {
  if (threadIdx.x < n) items[first + threadIdx.x] = first + threadIdx.x;
}

int main() {
  int *items = nullptr, h[128];
  for (int capacity = 32; capacity <= 128; capacity *= 2) {
    int* larger;
    check(cudaMalloc(&larger, capacity * sizeof(int)));  // fault: leak
    const int kept = capacity == 32 ? 0 : capacity / 2;
    if (kept > 0) check(cudaMemcpy(larger, items, kept * sizeof(int), cudaMemcpyDeviceToDevice));
    append<<<1, 64>>>(larger, kept, capacity - kept);
    check(cudaGetLastError());
    items = larger;
  }
  check(cudaMemcpy(h, items, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(items));
  for (int i = 0; i < 128; ++i)
    if (h[i] != i) return 1;
  return 0;
}
