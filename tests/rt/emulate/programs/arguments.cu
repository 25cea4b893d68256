// Kernels whose arguments are classes with constructors, destructors and members of their own, launched in each way.
#include <cstdio>

struct Array {
  int* data;
  int size, steps[40];

  Array(int* p, int n) : data(p), size(n) {
    for (int i = 0; i < 40; i++) steps[i] = i;
  }
  __host__ __device__ Array(const Array& other) : data(other.data), size(other.size) {
    for (int i = 0; i < 40; i++) steps[i] = other.steps[i];
  }
  __host__ __device__ ~Array() { size = -1; }
};

__global__ void plain(Array a, int step) {
  if (threadIdx.x < a.size) a.data[threadIdx.x] += a.steps[step];
}
template <class A>
__global__ void generic(A a, int step) {
  if (threadIdx.x < a.size) a.data[threadIdx.x] += a.steps[step];
}
struct Both {
  Array a;
  int step;
};
__global__ void both(Both b) {
  if (threadIdx.x < b.a.size) b.a.data[threadIdx.x] += b.a.steps[b.step];
}

int main() {
  int* data;
  cudaMalloc(&data, 100 * sizeof(int));
  cudaMemset(data, 0, 100 * sizeof(int));
  Array a(data, 100);
  int step = 16;
  plain<<<1, 128>>>(a, 1);
  generic<<<1, 128>>>(a, 2);
  generic<Array><<<1, 128>>>(a, 4);
  both<<<1, 128>>>(Both{a, 8});
  void* arguments[] = {&a, &step};
  cudaLaunchKernel((void*)plain, 1, 128, arguments, 0, 0);
  step = 32;
  cudaLaunchKernel(plain, 1, 128, arguments, 0, 0);
  int found[100], wrong = a.size != 100;
  cudaMemcpy(found, data, sizeof found, cudaMemcpyDeviceToHost);
  for (const int x : found) wrong += x != 1 + 2 + 4 + 8 + 16 + 32;
  printf("%d wrong\n", wrong);
  cudaFree(data);
  return wrong;
}
