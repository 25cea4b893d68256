// Running sums of arrays of the device.
//
//     irgl::exclusive_sums(c, data, count)     data[k] becomes the sum of those before it, in place
// Two launches: blocks sum up a stretch each, then each goes through its own again, from the sum of the stretches
// before it on (reduce, then scan: D. Merrill and A. Grimshaw, Parallel scan for stream architectures, 2009). No more
// than 1024 stretches, so that each block can add these sums up by itself. O(count) work; 3 reads and writes of each.
#pragma once
#include "collective.cuh"
#include "launch.cuh"

namespace irgl {
namespace detail {

template <class T>
__global__ void sum_stretches_kernel(const T* data, size_t count, size_t stretch, T* sums) {
  for (size_t s = blockIdx.x; s * stretch < count; s += gridDim.x) {
    const size_t end = (s + 1) * stretch < count ? (s + 1) * stretch : count;
    T mine = 0;
    for (size_t i = s * stretch + threadIdx.x; i < end; i += block_size) mine += data[i];
    const T sum = block_reduce<Add>(mine, T(0));
    if (threadIdx.x == 0) sums[s] = sum;
  }
}

template <class T>
__global__ void scan_stretches_kernel(T* data, size_t count, size_t stretch, const T* sums) {
  for (size_t s = blockIdx.x; s * stretch < count; s += gridDim.x) {
    const size_t end = (s + 1) * stretch < count ? (s + 1) * stretch : count;
    counter_t earlier = 0;
    for (size_t k = threadIdx.x; k < s; k += block_size) earlier += counter_t(sums[k]);
    counter_t before = join_warps(warp_place(earlier)).total;
    __syncthreads();
    for (size_t first = s * stretch; first < end; first += block_size) {
      const size_t i = first + threadIdx.x;
      const Place place = join_warps(warp_place(i < end ? counter_t(data[i]) : 0));
      if (i < end) data[i] = T(before + place.before);
      before += place.total;
      __syncthreads();
    }
  }
}

}  // namespace detail

template <class T>
void exclusive_sums(Launcher& c, T* data, size_t count) {
  const size_t least = 8 * block_size, even = (count + 1023) / 1024, stretch = even < least ? least : even;
  const size_t stretches = (count + stretch - 1) / stretch;
  T* const sums = c.allocate_array<T>(stretches);
  c.launch(detail::sum_stretches_kernel<T>, stretches * block_size, data, count, stretch, sums);
  c.launch(detail::scan_stretches_kernel<T>, stretches * block_size, data, count, stretch, sums);
  c.release(sums);
}

}  // namespace irgl
