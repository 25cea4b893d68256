// Blocks count together by an atomic operation that is atomic for threads of one block only.
#include <cstdio>

__global__ void count(const int* items, int* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && items[i] > 0) atomicAdd_block(found, 1);  // fault: race
}

int main() {
  const int n = 128;
  int items[n], *d, *found, result = 0;
  for (int i = 0; i < n; i++) items[i] = i % 3;
  cudaMalloc(&d, sizeof items);
  cudaMalloc(&found, sizeof(int));
  cudaMemcpy(d, items, sizeof items, cudaMemcpyHostToDevice);
  cudaMemset(found, 0, sizeof(int));
  count<<<2, 64>>>(d, found, n);
  cudaMemcpy(&result, found, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(found);
  cudaFree(d);
  return result == 85 ? 0 : 1;
}
