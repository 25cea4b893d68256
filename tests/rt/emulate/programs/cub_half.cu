// CUB's reductions and sorts of floats of 16 bits, and the limits of these.
#include <cuda_bf16.h>

#include <cub/cub.cuh>
#include <cuda/std/limits>

#include <cstdio>

constexpr int N = 128;

template <class T>
__global__ void block(const T* in, T* out, float* sum) {
  using Reduce = cub::BlockReduce<T, N / 2>;
  using Sort = cub::BlockRadixSort<T, N / 2, 2>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Sort::TempStorage sort;
  const T total = Reduce(reduce).Sum(in[threadIdx.x] / T(128));
  if (threadIdx.x == 0) *sum = (float)total;
  T keys[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  Sort(sort).Sort(keys);
  out[2 * threadIdx.x] = keys[0];
  out[2 * threadIdx.x + 1] = keys[1];
}

template <class T>
int go() {
  T h[N], most, *in, *out;
  float sum, *total;
  for (int i = 0; i < N; i++) h[i] = T(-1 - (i * 37 % N));
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&total, sizeof sum);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);

  block<T><<<1, N / 2>>>(in, out, total);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += (float)h[i] != i - N;

  size_t bytes = 0, more = 0;
  cub::DeviceReduce::Max(nullptr, bytes, in, out, N);
  cub::DeviceRadixSort::SortKeysDescending(nullptr, more, in, out, N);
  bytes = bytes < more ? more : bytes;
  void* temp;
  cudaMalloc(&temp, bytes);
  cub::DeviceReduce::Max(temp, bytes, in, out, N);
  cudaMemcpy(&most, out, sizeof most, cudaMemcpyDeviceToHost);
  cub::DeviceRadixSort::SortKeysDescending(temp, bytes, in, out, N);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) wrong += (float)h[i] != -1 - i;

  using Limits = cuda::std::numeric_limits<T>;
  printf("%d wrong, about %.0f, most %g, limits %g %g %g %g %d\n", wrong, sum, (float)most, (float)Limits::max(),
         (float)Limits::lowest(), (float)Limits::epsilon(), (float)Limits::min(), Limits::digits);
  cudaFree(in);
  cudaFree(out);
  cudaFree(total);
  cudaFree(temp);
  return wrong;
}

int main() { return go<half>() + go<__nv_bfloat16>() != 0; }
