// On which processor: streams, raw pointers, inside of kernels, the host; and what is thrown.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>

#include <cstdio>
#include <new>
#include <vector>

__global__ void sort_rows(int* rows, int* sums, int width, int count) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= count) return;
  int* first = rows + r * width;
  thrust::sort(thrust::seq, first, first + width);
  sums[r] = thrust::reduce(thrust::seq, first, first + width, 0, thrust::plus<int>());
}

int main() {
  int wrong = 0;
  const int rows = 40, width = 25, n = rows * width;
  std::vector<int> mine(n);
  for (int i = 0; i < n; i++) mine[i] = i * 7919 % 1009;
  thrust::device_vector<int> table = mine, sums(rows);
  int* raw = thrust::raw_pointer_cast(table.data());
  sort_rows<<<2, 32>>>(raw, thrust::raw_pointer_cast(&sums[0]), width, rows);
  const thrust::host_vector<int> sorted = table, totals = sums;
  for (int r = 0; r < rows; r++) {
    thrust::sort(thrust::host, mine.data() + r * width, mine.data() + (r + 1) * width);
    int sum = 0;
    for (int i = 0; i < width; i++) {
      wrong += sorted[r * width + i] != mine[r * width + i];
      sum += mine[r * width + i];
    }
    wrong += sum != totals[r];
  }

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* device = nullptr;
  cudaMallocAsync(&device, n * sizeof(int), stream);
  cudaMemcpyAsync(device, mine.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
  thrust::transform(thrust::cuda::par_nosync.on(stream), device, device + n, device,
                    [=] __device__(int v) { return v + rows; });
  thrust::inclusive_scan(thrust::cuda::par.on(stream), device, device + n, device);
  const int last = thrust::reduce(thrust::cuda::par.on(stream), device + n - 1, device + n);
  const int least = *thrust::min_element(thrust::device_pointer_cast(device), thrust::device_pointer_cast(device) + n);
  cudaFreeAsync(device, stream);
  cudaStreamDestroy(stream);
  int sum = 0;
  for (int v : mine) sum += v + rows;
  wrong += last != sum || least != mine[0] + rows;

  thrust::universal_vector<int> shared(10, 2);
  thrust::transform(thrust::device, shared.begin(), shared.end(), shared.begin(), thrust::negate<int>());
  for (int& v : shared) v -= 1;
  wrong += thrust::reduce(shared.begin(), shared.end()) != -30;

  bool caught = false;
  try {
    thrust::device_vector<double> huge(1ul << 36);
  } catch (const std::bad_alloc& e) {
    caught = true;
  }
  wrong += !caught;
  try {
    throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "copy");
  } catch (const thrust::system_error& e) {
    wrong += e.code().value() != cudaErrorInvalidValue;
    std::printf("%s\n", e.what());
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
