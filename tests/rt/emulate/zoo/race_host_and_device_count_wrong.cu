// Host and kernel count together in page-locked memory; the kernel's operation is atomic for the device only.
__global__ void count(int* found) {
  if (threadIdx.x % 3 == 0) atomicAdd(found, 1);  // or: race
}

int main() {
  int* found;
  cudaMallocHost(&found, sizeof(int));
  *found = 0;
  count<<<1, 32>>>(found);
  __sync_fetch_and_add(found, 1);  // fault: race
  cudaDeviceSynchronize();
  const int result = *found;
  cudaFreeHost(found);
  return result == 12 ? 0 : 1;
}
