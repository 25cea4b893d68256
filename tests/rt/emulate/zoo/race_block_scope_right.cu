// A block counts for itself by an atomic operation of its scope, and adds that up for all.
#include <cstdio>

__global__ void count(const int* items, int* of_block, int* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && items[i] > 0) atomicAdd_block(&of_block[blockIdx.x], 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(found, of_block[blockIdx.x]);
}

int main() {
  const int n = 128;
  int items[n], *d, *found, result = 0;
  for (int i = 0; i < n; i++) items[i] = i % 3;
  cudaMalloc(&d, sizeof items);
  cudaMalloc(&found, 3 * sizeof(int));
  cudaMemcpy(d, items, sizeof items, cudaMemcpyHostToDevice);
  cudaMemset(found, 0, 3 * sizeof(int));
  count<<<2, 64>>>(d, found + 1, found, n);
  cudaMemcpy(&result, found, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(found);
  cudaFree(d);
  return result == 85 ? 0 : 1;
}
