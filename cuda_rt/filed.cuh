// Where the items of a priority worklist wait (buckets.cuh), and how they come there: those that the running bucket
// takes, a list for each of the next buckets, and one for all others. Bins are their numbers.
//
//     v.push(t, x, p)  v.push_warp(t, flag, x, p)  v.push_block(t, flag, x, p)
//     at = v.reserve_warp|block(t, k, p)  v.put(at, x, p)      k: 0 or 1
//     v.fits(t, bound, RANGE)          as of lists (worklist.cuh): any list may get all
#pragma once
#include "near.cuh"

namespace irgl {

// Numbers as wide as a priority, so that no padding lies beside them: a copy would read bytes that nobody wrote.
template <class T>
using wide_t = std::conditional_t<std::is_integral_v<T>, int64_t,
                                  std::conditional_t<std::is_floating_point_v<T>, double, T>>;
template <class T>
struct Late {
  int64_t priority;
  wide_t<T> item;
};

struct Everybody {  // of what waits nothing is stale (ordered.cuh has others)
  static constexpr bool free = false, lazy = false;
  template <class T>
  IRGL_DEVICE bool waits(T, int64_t, int64_t) const { return true; }
};

constexpr unsigned most_bins = 64, far_bin = most_bins - 1;

template <class T, class By>
struct FiledView {
  using item = T;
  using order = By;
  By by;
  ListView<T> front, again;
  NearView<T> near;
  ListView<Late<T>> far, rest;
  int64_t base = lowest<int64_t>(), current = lowest<int64_t>();  // the first bucket of the window, the running one
  unsigned span = 1;  // buckets of the window

  IRGL_BOTH int64_t priority() const { return current; }
  IRGL_DEVICE ListItems<T> items() const { return front.items(); }
  IRGL_DEVICE counter_t size() const { return front.size(); }
  IRGL_DEVICE counter_t size(const Thread& t) const { return front.size(t); }
  IRGL_DEVICE bool empty(const Thread& t) const { return front.empty(t); }

  static IRGL_BOTH int64_t in_range(int64_t p) { return p - (p == highest<int64_t>()); }  // the last one is none
  // Where a priority waits: bin 0 has what the running bucket takes, bin k the window's kth bucket, the last the rest.
  IRGL_BOTH unsigned bin(int64_t p) const {
    p = in_range(p);
    if (p <= current) return 0;
    const uint64_t k = uint64_t(p) - uint64_t(base);
    return k < span ? unsigned(k) : far_bin;
  }
  IRGL_DEVICE void push(Thread& t, T x, int64_t p) const { put(reserve_one(t, 1, p), x, p); }
  IRGL_DEVICE void push_warp(Thread& t, bool flag, T x, int64_t p) const {
    const counter_t at = reserve_warp(t, flag, p);
    if (flag) put(at, x, p);
  }
  IRGL_DEVICE void push_block(Thread& t, bool flag, T x, int64_t p) const {
    const counter_t at = reserve_block(t, flag, p);
    if (flag) put(at, x, p);
  }
  IRGL_DEVICE counter_t reserve_one(Thread&, counter_t k, int64_t p) const {
    return k != 0 ? atomicAdd(counter(bin(p)), k) : 0;
  }
  IRGL_DEVICE counter_t reserve_warp(Thread&, counter_t k, int64_t p) const {  // k: 0 or 1
    const unsigned b = k != 0 ? bin(p) : most_bins, lanes = __match_any_sync(all_lanes, b);
    const unsigned leader = unsigned(__ffs(int(lanes))) - 1;
    counter_t first = 0;
    if (lane_id() == leader && k != 0) first = atomicAdd(counter(b), counter_t(__popc(lanes)));
    return shuffle(first, leader) + unsigned(__popc(lanes & ((1u << lane_id()) - 1)));
  }
  IRGL_DEVICE counter_t reserve_block(Thread&, counter_t k, int64_t p) const {
    __shared__ counter_t taken[most_bins];
    if (!__syncthreads_or(k != 0)) return 0;
    for (unsigned i = threadIdx.x; i < most_bins; i += block_size) taken[i] = 0;
    __syncthreads();
    const unsigned b = bin(p);
    const counter_t before = k != 0 ? atomicAdd(&taken[b], k) : 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < most_bins; i += block_size)
      if (taken[i] != 0) taken[i] = atomicAdd(counter(i), taken[i]);
    __syncthreads();
    return taken[b] + before;  // which nobody clears before the next first barrier
  }
  IRGL_DEVICE void put(counter_t at, T x, int64_t p) const {
    const unsigned b = bin(p);
    if (b == 0) again.put(at, x);
    else if (b == far_bin) far.put(at, {in_range(p), wide_t<T>(x)});
    else near.put(b - 1, at, x);
  }
  template <class R>
  IRGL_DEVICE bool fits(Thread& t, bound b, const R& range) {
    const bool spills = again.spill != nullptr;
    if (b.unknown()) {  // the host has to give a spill first
      if (!spills) again.wanted = far.wanted = near.wanted = no_bound;
      again.most = again.capacity, near.most = near.capacity, far.most = far.capacity;
      return spills;
    }
    counter_t need = detail::grid_need(t, b, range, room());
    if (need > room()) {
      again.most = again.size(), near.most = near.largest(unsigned(current - base), span - 1), far.most = far.size();
      t.sync();
      need = detail::grid_need(t, b, range, room());
      if (need > room() && !spills) {
        again.wanted = again.most + need, near.wanted = near.most + need, far.wanted = far.most + need;
        return false;
      }
    }
    again.most += need, near.most += need, far.most += need;
    return true;
  }

 protected:
  IRGL_DEVICE counter_t* counter(unsigned b) const {
    return b == 0 ? again.counter : b == far_bin ? far.counter : near.counter(b - 1);
  }
  IRGL_DEVICE counter_t room() const {
    const counter_t one = again.room() < far.room() ? again.room() : far.room();
    return near.lists != 0 && near.room() < one ? near.room() : one;
  }
};

}  // namespace irgl
