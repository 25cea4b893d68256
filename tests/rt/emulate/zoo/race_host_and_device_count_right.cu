// Host and kernel count together in page-locked memory, by operations that are atomic for both.
__global__ void count(int* found) {
  if (threadIdx.x % 3 == 0) atomicAdd_system(found, 1);
}

int main() {
  int* found;
  cudaMallocHost(&found, sizeof(int));
  *found = 0;
  count<<<1, 32>>>(found);
  __sync_fetch_and_add(found, 1);
  cudaDeviceSynchronize();
  const int result = *found;
  cudaFreeHost(found);
  return result == 12 ? 0 : 1;
}
