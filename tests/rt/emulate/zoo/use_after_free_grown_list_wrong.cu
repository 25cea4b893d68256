// A list has grown into a new buffer, but its view still holds the old pointer.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

struct List {
  int* items;
  int length;
};
__global__ void sum(List list, int* out) {
  for (int i = threadIdx.x; i < list.length; i += 32) atomicAdd(out, list.items[i]);  // fault: use-after-free
}

int main() {
  int *items, *larger, *out, total = 0;
  check(cudaMalloc(&items, 64 * sizeof(int)));
  check(cudaMalloc(&out, sizeof(int)));
  check(cudaMemset(items, 0, 64 * sizeof(int)));
  check(cudaMemset(out, 0, sizeof(int)));
  List list = {items, 64};
  check(cudaMalloc(&larger, 128 * sizeof(int)));
  check(cudaMemcpy(larger, items, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
  check(cudaFree(items));
  sum<<<1, 32>>>(list, out);
  check(cudaGetLastError());
  check(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
  check(cudaFree(larger));
  check(cudaFree(out));
  return total;
}
