// Sorting on the device: the numbers 0, 1... count - 1 by the keys that they have.
//
//     I* order = irgl::radix_order<I>(c, count, key, most)     order[k]: the number that comes k-th; ties ascend
// key(i), on the device, is whole and between 0 and `most`. The caller releases order. From the lowest digit of
// the keys (a byte) to the highest, a stable counting sort each (M. Zagha and G. Blelloch, Radix sort for vector
// multiprocessors, 1991): a warp counts how often each digit occurs in its tile of numbers, sums over all tiles say
// where those of a digit go, and the warp takes them there, 32 at a time, of which equal ones find each other by a
// vote. O(count) per digit of `most`; a further array of `count`.
#pragma once
#include "prefix.cuh"

namespace irgl {
namespace detail {

constexpr unsigned tile_size = 1024;
template <class I>
constexpr unsigned digit_bits = sizeof(I) == 8 ? 7 : 8;  // so that what 32 warps keep of each fits into 48 KB
template <class I>
constexpr unsigned digits = 1u << digit_bits<I>;

template <class I>
struct Tiles {  // what a pass sorts: numbers in the order of the pass before, by a digit of their keys
  const I* order;  // null: as they are
  size_t count;
  unsigned shift;
  I* places;  // of each digit, of each tile: how many; then, where the first of them goes

  IRGL_BOTH size_t tiles() const { return (count + tile_size - 1) / tile_size; }
  IRGL_DEVICE I at(size_t i) const { return order != nullptr ? order[i] : I(i); }
  template <class Key>
  IRGL_DEVICE unsigned digit(const Key& key, I item) const { return unsigned(key(item) >> shift) % digits<I>; }
};
IRGL_DEVICE size_t first_tile() { return size_t(blockIdx.x) * warps + warp_id(); }
IRGL_DEVICE size_t next_tile(size_t tile) { return tile + size_t(gridDim.x) * warps; }

template <class I, class Key>
__global__ void count_digits_kernel(Tiles<I> a, Key key) {
  __shared__ unsigned tallies[warps][digits<I>];
  unsigned* const tally = tallies[warp_id()];
  for (size_t tile = first_tile(); tile < a.tiles(); tile = next_tile(tile)) {
    for (unsigned d = lane_id(); d < digits<I>; d += warp_size) tally[d] = 0;
    __syncwarp();
    for (size_t i = tile * tile_size + lane_id(); i < (tile + 1) * tile_size && i < a.count; i += warp_size)
      atomicAdd(&tally[a.digit(key, a.at(i))], 1u);
    __syncwarp();
    for (unsigned d = lane_id(); d < digits<I>; d += warp_size) a.places[d * a.tiles() + tile] = I(tally[d]);
    __syncwarp();
  }
}

template <class I, class Key>
__global__ void scatter_digits_kernel(Tiles<I> a, Key key, I* to) {
  __shared__ I next_places[warps][digits<I>];
  I* const next = next_places[warp_id()];
  for (size_t tile = first_tile(); tile < a.tiles(); tile = next_tile(tile)) {
    for (unsigned d = lane_id(); d < digits<I>; d += warp_size) next[d] = a.places[d * a.tiles() + tile];
    __syncwarp();
    for (size_t first = tile * tile_size; first < (tile + 1) * tile_size && first < a.count; first += warp_size) {
      const size_t i = first + lane_id();
      const I item = i < a.count ? a.at(i) : I(0);
      const unsigned digit = i < a.count ? a.digit(key, item) : digits<I>;
      const unsigned equal = __match_any_sync(all_lanes, digit);
      const unsigned before = unsigned(__popc(equal & ((1u << lane_id()) - 1))), all = unsigned(__popc(equal));
      const I place = digit < digits<I> ? next[digit] + I(before) : I(0);
      __syncwarp();
      if (digit < digits<I>) to[place] = item;
      if (digit < digits<I> && before == 0) next[digit] += I(all);
      __syncwarp();
    }
  }
}

}  // namespace detail

template <class I, class Key>
I* radix_order(Launcher& c, size_t count, const Key& key, counter_t most) {
  detail::Tiles<I> pass{nullptr, count, 0, nullptr};
  const size_t tiles = pass.tiles(), places = detail::digits<I> * tiles;
  pass.places = c.allocate_array<I>(places);
  I* from = c.allocate_array<I>(count);
  I* to = c.allocate_array<I>(count);
  do {
    c.launch(detail::count_digits_kernel<I, Key>, tiles * warp_size, pass, key);
    exclusive_sums(c, pass.places, places);
    c.launch(detail::scatter_digits_kernel<I, Key>, tiles * warp_size, pass, key, to);
    std::swap(from, to);
    pass.order = from;
    pass.shift += detail::digit_bits<I>;
  } while (pass.shift < 64 && most >> pass.shift != 0);
  c.release(to);
  c.release(pass.places);
  return from;
}

}  // namespace irgl
