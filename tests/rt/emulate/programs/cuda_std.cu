// libcu++ in kernels: cuda::std's types and algorithms, cuda::maximum, ceil_div.
#include <cub/block/block_reduce.cuh>
#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cmath>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstdio>

using Pair = cuda::std::pair<int, float>;

__device__ cuda::std::optional<int> halved(int x) {
  if (x % 2 != 0) return cuda::std::nullopt;
  return x / 2;
}

template <class T>
__device__ T smallest() {
  static_assert(cuda::std::is_arithmetic<T>::value, "a number");
  return cuda::std::numeric_limits<T>::lowest();
}

__global__ void values(int* out, Pair* pairs, cuda::atomic<int, cuda::thread_scope_device>* count) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ typename Reduce::TempStorage s;
  const int t = threadIdx.x;
  cuda::std::array<int, 4> digits{};
  for (int i = 0, left = t; i < 4; i++, left /= 3) digits[i] = left % 3;
  int sum = 0;
  for (const int d : digits) sum += d;
  const auto [low, high] = cuda::std::make_tuple(cuda::std::min(t, 10), cuda::std::max(t, 10));
  const int most = Reduce(s).Reduce(sum, cuda::maximum<>{});
  __syncthreads();
  const int all = Reduce(s).Reduce(sum, cuda::std::plus<>{});
  if (halved(t).has_value()) count->fetch_add(halved(t).value(), cuda::std::memory_order_relaxed);
  pairs[t] = Pair(low, cuda::std::sqrt(float(high)));
  out[t] = sum;
  if (t == 0) {
    out[64] = most;
    out[65] = all;
    out[66] = smallest<int>() == -2147483647 - 1;
    cuda::std::uint8_t byte = 255;
    out[67] = ++byte;
  }
}

int main() {
  int* out;
  Pair* pairs;
  cuda::atomic<int, cuda::thread_scope_device>* count;
  cudaMallocManaged(&out, 68 * sizeof(int));
  cudaMallocManaged(&pairs, 64 * sizeof(Pair));
  cudaMallocManaged(&count, sizeof *count);
  cudaMemset(count, 0, sizeof *count);
  values<<<cuda::ceil_div(50, 64), 64>>>(out, pairs, count);
  cudaDeviceSynchronize();
  int wrong = 0, all = 0, most = 0;
  for (int t = 0; t < 64; t++) {
    const int sum = t % 3 + t / 3 % 3 + t / 9 % 3 + t / 27 % 3;
    wrong += out[t] != sum || pairs[t].first != (t < 10 ? t : 10);
    wrong += pairs[t].second * pairs[t].second - (t < 10 ? 10 : t) > 1e-3f;
    all += sum;
    most = sum > most ? sum : most;
  }
  wrong += out[64] != most || out[65] != all || out[66] != 1 || out[67] != 0 || count->load() != 31 * 32 / 2;
  printf("%d wrong\n", wrong);
  cudaFree(out);
  cudaFree(pairs);
  cudaFree(count);
  return wrong;
}
