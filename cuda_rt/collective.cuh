// Collectives: what all threads of a warp, a block or the grid do together.
//
//     shuffle(v, lane)                        any value of at most 8 bytes
//     warp_reduce<Op>(v)                      the warp's combined value, in every lane; <Op, 8> that of each 8 lanes
//     block_reduce<Op>(v, neutral)            the block's, in thread 0
//     block_most(warp's number)               the largest, in every thread
//     warp_place(k)                           Place{before, total}: an exclusive sum and the sum, of 64 bits
//     warp_place_flag(flag)                   the same for k = 0 or 1, cheaper
//     take_warp|take_block(counter, place)    room for all of them, by one atomic
//     grid_sum(t, v) grid_most(t, v)          the grid's sum or largest, in every thread: one barrier of the grid
//     warp_find(first, k)                     the last lane whose number, of some that ascend from 0, is at most k
//     run_heads(key)                          the lanes that begin a run, of neighbours with the same key
//     run_reduce<Op>(v, heads, lanes)         in a run's last lane what it has together; lanes: the first, which count
//     ends_run(heads, lanes)                  is it the last of its run?
// Warp collectives want all 32 lanes, block collectives all threads of the block, at the same place. A block collective
// may follow another of its kind at once: none reads shared memory after its last barrier that the next one writes
// before its first.
#pragma once
#include "thread.cuh"

namespace irgl {

constexpr unsigned warps = block_size / warp_size;
IRGL_DEVICE unsigned lane_id() { return threadIdx.x % warp_size; }
IRGL_DEVICE unsigned warp_id() { return threadIdx.x / warp_size; }

struct Place {
  counter_t before, total;
};

namespace detail {
template <class T>
using shuffled_t = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;

template <class T>
IRGL_DEVICE shuffled_t<T> widen(T v) { return shuffled_t<T>(bit_cast<bits_t<T>>(v)); }
template <class T>
IRGL_DEVICE T narrow(shuffled_t<T> word) { return bit_cast<T>(bits_t<T>(word)); }

// A word of each warp for block_reduce, whatever its type: it ends with a barrier.
IRGL_DEVICE void* warp_words() {
  alignas(8) __shared__ unsigned char words[8 * warps];
  return words;
}
}  // namespace detail

template <class T>
IRGL_DEVICE T shuffle(T v, unsigned lane) {
  return detail::narrow<T>(__shfl_sync(all_lanes, detail::widen(v), int(lane)));
}
template <class T>
IRGL_DEVICE T shuffle_up(T v, unsigned by) {
  return detail::narrow<T>(__shfl_up_sync(all_lanes, detail::widen(v), by));
}
template <class T>
IRGL_DEVICE T shuffle_xor(T v, unsigned mask) {
  return detail::narrow<T>(__shfl_xor_sync(all_lanes, detail::widen(v), int(mask)));
}

template <class Op, unsigned width = warp_size, class T>
IRGL_DEVICE T warp_reduce(T v) {
  for (unsigned step = width / 2; step != 0; step /= 2) v = Op{}(v, shuffle_xor(v, step));
  return v;
}
template <class Op, class T>
IRGL_DEVICE T block_reduce(T v, T neutral) {
  auto* parts = static_cast<detail::bits_t<T>*>(detail::warp_words());
  v = warp_reduce<Op>(v);
  if (lane_id() == 0) parts[warp_id()] = detail::bit_cast<detail::bits_t<T>>(v);
  __syncthreads();
  v = neutral;
  if (threadIdx.x == 0)
    for (unsigned w = 0; w < warps; ++w) v = Op{}(v, detail::bit_cast<T>(parts[w]));
  __syncthreads();  // parts may be written again
  return v;
}

// The largest of the warps' numbers, in every thread: for trip counts that the whole block shares.
IRGL_DEVICE counter_t block_most(counter_t of_warp) {
  __shared__ counter_t numbers[warps];
  if (lane_id() == 0) numbers[warp_id()] = of_warp;
  __syncthreads();
  counter_t most = 0;
  for (unsigned w = 0; w < warps; ++w) most = numbers[w] > most ? numbers[w] : most;
  __syncthreads();  // numbers may be written again
  return most;
}

IRGL_DEVICE Place warp_place_flag(bool flag) {
  const unsigned votes = __ballot_sync(all_lanes, flag);
  return {counter_t(__popc(votes & ((1u << lane_id()) - 1))), counter_t(__popc(votes))};
}
IRGL_DEVICE Place warp_place(counter_t k) {
  if (__all_sync(all_lanes, k <= 1)) return warp_place_flag(k != 0);
  counter_t sum = k;
  for (unsigned step = 1; step < warp_size; step *= 2) {
    const counter_t below = shuffle_up(sum, step);
    if (lane_id() >= step) sum += below;
  }
  return {sum - k, shuffle(sum, warp_size - 1)};
}

template <class T>
IRGL_DEVICE unsigned warp_find(T first, T k) {
  unsigned found = 0;
  for (unsigned step = warp_size / 2; step != 0; step /= 2)
    if (shuffle(first, found + step) <= k) found += step;
  return found;
}

IRGL_DEVICE unsigned run_heads(unsigned key) {
  const unsigned below = shuffle_up(key, 1);
  return __ballot_sync(all_lanes, below != key) | 1;
}
namespace detail {
// Lanes that are joined add what those `step` below have, who have the sum of as many; then twice as many are.
template <class Op, unsigned step, class T>
IRGL_DEVICE T join_runs(T v, unsigned joined, unsigned own) {
  if (joined == 0) return v;
  const T below = shuffle_up(v, step);
  if ((joined & own) != 0) v = Op{}(v, below);
  if constexpr (2 * step < warp_size) return join_runs<Op, 2 * step>(v, joined & joined << step, own);
  else return v;
}
}  // namespace detail
// By as many shuffles as it takes to double 1 to the longest run; of truth values by one vote.
template <class Op, class T>
IRGL_DEVICE T run_reduce(T v, unsigned heads, unsigned lanes) {
  if constexpr (std::is_same_v<T, bool> && (std::is_same_v<Op, detail::Or> || std::is_same_v<Op, detail::And>)) {
    constexpr bool decides = std::is_same_v<Op, detail::Or>;
    const unsigned votes = __ballot_sync(all_lanes, v == decides), upto = all_lanes >> (warp_size - 1 - lane_id());
    return ((votes & upto) >> (31 - __clz(int(heads & upto))) != 0) == decides;
  } else {
    return detail::join_runs<Op, 1>(v, lanes & ~heads, 1u << lane_id());
  }
}
IRGL_DEVICE bool ends_run(unsigned heads, unsigned lanes) {
  return ((lanes & ~(lanes >> 1 & ~(heads >> 1))) >> lane_id() & 1) != 0;
}

// The warps' places made into the block's: each thread adds up the sums of the warps before its own. The caller passes
// another barrier before anybody comes here again.
IRGL_DEVICE Place join_warps(Place mine) {
  __shared__ counter_t sums[warps];
  if (lane_id() == 0) sums[warp_id()] = mine.total;
  __syncthreads();
  Place all{mine.before, 0};
  for (unsigned w = 0; w < warps; ++w) {
    const counter_t sum = sums[w];
    if (w < warp_id()) all.before += sum;
    all.total += sum;
  }
  return all;
}

// Advance a counter by the total of a warp or block with one atomic: where the caller's own share begins. Both want the
// places within the warp.
IRGL_DEVICE counter_t take_warp(counter_t* counter, Place p) {
  counter_t base = 0;
  if (lane_id() == 0 && p.total != 0) base = atomicAdd(counter, p.total);
  return shuffle(base, 0) + p.before;
}
IRGL_DEVICE counter_t take_block(counter_t* counter, Place of_warp) {
  __shared__ counter_t base;  // written behind the barrier in join_warps, before which the last one was read
  const Place p = join_warps(of_warp);
  if (threadIdx.x == 0) base = p.total != 0 ? atomicAdd(counter, p.total) : 0;
  __syncthreads();
  return base + p.before;
}

// The slots rotate: while one is added to, the next is cleared, which was last read before the barrier before this one.
template <class Op>
IRGL_DEVICE counter_t grid_reduce(Thread& t, counter_t v) {
  counter_t* sums = t.control->sums;
  const unsigned k = t.summed++ % 3;
  v = block_reduce<Op>(v, counter_t(0));
  if (threadIdx.x == 0 && v != 0) {
    if constexpr (std::is_same_v<Op, detail::Add>) atomicAdd(&sums[k], v);
    else atomicMax(&sums[k], v);
  }
  if (t.first()) sums[(k + 1) % 3] = 0;
  t.sync();
  return sums[k];
}
IRGL_DEVICE counter_t grid_sum(Thread& t, counter_t v) { return grid_reduce<detail::Add>(t, v); }
IRGL_DEVICE counter_t grid_most(Thread& t, counter_t v) { return grid_reduce<detail::Max>(t, v); }

}  // namespace irgl
