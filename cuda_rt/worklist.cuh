// Lists as kernels see them: a ListView, passed by value.
//
//     wl.push(t, x)                                    one atomic per item
//     wl.push_warp(t, flag, x)  push_block(t, flag, x) one per warp or block, called by all its threads
//     at = wl.reserve_one|warp|block(t, k)             k places for each thread, then wl.put(at + i, x)
//     wl.items()  wl.size()                            while nobody pushes
//     wl.fits(t, bound{per_item, per_edge}, RANGE)     whether a kernel over RANGE that pushes so much has the space
// By all threads of the grid, in outlined loops (each is behind a barrier since the last kernel): wl.empty(t), size(t),
// swap(t, other), clear(t) with one barrier, push_first(t, x) and update(t, other) with one at their end: before these
// two, as before a kernel, fits has to provide the space. A list has two
// counters: while one counts, the other is made zero before the barrier behind which they change places. So emptying
// costs no barrier of its own.
#pragma once
#include "schedulers.cuh"

namespace irgl {

// How much a kernel pushes at most: for each item of its range, and for each edge of its items. -1: nobody knows.
struct bound {
  int64_t per_item, per_edge;
  IRGL_BOTH bool unknown() const { return per_item < 0 || per_edge < 0; }
};
// The same into a list that never holds more than that: one of different nodes.
struct bound_within {
  bound b;
  counter_t in_all;
};
IRGL_BOTH bound_within within(bound b, int64_t nodes) { return {b, counter_t(nodes)}; }
constexpr counter_t no_bound = ~counter_t(0);  // wanted: a spill
// A kernel that runs over one range or another, as it finds out: fits(t, bound{0, 0}, one_of(b, RANGE, b, RANGE)).
template <class R, class S>
struct OneOf {
  bound first;
  R one;
  bound second;
  S other;
};
template <class R, class S>
IRGL_BOTH OneOf<R, S> one_of(bound first, const R& one, bound second, const S& other) {
  return {first, one, second, other};
}

namespace detail {
template <class R>
IRGL_BOTH counter_t cheap_need(bound b, const R& range) {
  counter_t need = counter_t(b.per_item) * range.size();
  if constexpr (R::weighted) need += counter_t(b.per_edge) * range.size() * range.heaviest;
  return need;
}
template <class R>
IRGL_DEVICE counter_t own_weight(const Thread& t, const R& range) {
  counter_t sum = 0;
  if constexpr (R::weighted)
    for (size_t p = t.rank(); p < range.size(); p += t.count())
      if (has_item(range, p)) sum += range.weight(range.at(p));
  return sum;
}
// What a kernel over the range needs: the cheap bound where that is within the room, or else the exact sum of degrees.
template <class R>
IRGL_DEVICE counter_t grid_need(Thread& t, bound b, const R& range, counter_t room) {
  const counter_t cheap = cheap_need(b, range);
  if (cheap <= room || !R::weighted || b.per_edge == 0) return cheap;
  return counter_t(b.per_item) * range.size() + counter_t(b.per_edge) * grid_sum(t, own_weight(t, range));
}
IRGL_BOTH counter_t larger(counter_t a, counter_t b) { return a < b ? b : a; }
template <class R, class S>
IRGL_DEVICE counter_t grid_need(Thread& t, bound, const OneOf<R, S>& r, counter_t room) {
  const counter_t first = grid_need(t, r.first, r.one, room);
  return larger(first, grid_need(t, r.second, r.other, larger(first, room)));
}
}  // namespace detail

template <class T>
struct ListView {
  using item = T;
  T* data = nullptr;
  T* spill = nullptr;            // takes what is beyond the capacity, where the bound is unknown
  counter_t capacity = 0, spill_capacity = 0;
  counter_t* counter = nullptr;  // how many items there are
  counter_t* spare = nullptr;    // the next counter
  counter_t most = 0;            // how many there can be by now: a bound that all threads of the grid agree on
  counter_t wanted = 0;          // the space that was asked for in vain

  IRGL_DEVICE void put(counter_t at, T x) const {
    if (at < capacity) data[at] = x;
    else if (at - capacity < spill_capacity) spill[at - capacity] = x;
  }
  IRGL_DEVICE counter_t reserve_one(Thread&, counter_t k) const { return k != 0 ? atomicAdd(counter, k) : 0; }
  IRGL_DEVICE counter_t reserve_warp(Thread&, counter_t k) const { return take_warp(counter, warp_place(k)); }
  IRGL_DEVICE counter_t reserve_block(Thread&, counter_t k) const { return take_block(counter, warp_place(k)); }
  IRGL_DEVICE void push(Thread&, T x) const { put(atomicAdd(counter, counter_t(1)), x); }
  IRGL_DEVICE void push_warp(Thread&, bool flag, T x) const {
    const counter_t at = take_warp(counter, warp_place_flag(flag));
    if (flag) put(at, x);
  }
  IRGL_DEVICE void push_block(Thread&, bool flag, T x) const {
    const counter_t at = take_block(counter, warp_place_flag(flag));
    if (flag) put(at, x);
  }

  IRGL_DEVICE counter_t size() const { return *counter; }
  IRGL_DEVICE ListItems<T> items() const {
    const counter_t room = capacity + spill_capacity, count = size();
    return {data, spill, size_t(capacity), size_t(count < room ? count : room)};
  }

  // Each thread of the grid reads the counter before anybody pushes: behind the last barrier and before the next.
  template <class R>
  IRGL_DEVICE bool fits(Thread& t, bound b, const R& range) {
    if (b.unknown()) {  // the host has to give a spill first
      if (spill == nullptr) wanted = no_bound;
      most = capacity;
      return spill != nullptr;
    }
    counter_t need = detail::grid_need(t, b, range, room());
    if (need > room()) {
      most = size();
      t.sync();
      need = detail::grid_need(t, b, range, room());
      if (need > room() && spill == nullptr) {
        wanted = most + need;
        return false;
      }
    }
    most += need;
    return true;
  }

  template <class R>
  IRGL_DEVICE bool fits(Thread& t, bound_within b, const R& range) {
    if (b.in_all > capacity) return fits(t, b.b, range);
    most = b.in_all;
    return true;
  }

  IRGL_DEVICE bool spilled(const Thread&) const { return size() > capacity; }
  IRGL_DEVICE counter_t size(const Thread&) const { return size(); }
  IRGL_DEVICE bool empty(const Thread&) const { return size() == 0; }
  IRGL_DEVICE void wipe(Thread& t) {  // clear, where each thread has a view
    if (t.first()) *counter = 0;
    most = 0;
    t.sync();
  }
  IRGL_DEVICE void prepare(Thread& t) const { if (t.first()) *spare = 0; }
  IRGL_DEVICE void flip() {
    counter_t* was = counter;
    counter = spare;
    spare = was;
    most = 0;
  }
  IRGL_DEVICE void clear(Thread& t) {
    prepare(t);
    t.sync();
    flip();
  }
  IRGL_DEVICE void swap(Thread&, ListView& other) {
    const ListView was = *this;
    *this = other;
    other = was;
  }
  IRGL_DEVICE void push_first(Thread& t, T x) {
    if (t.first()) push(t, x);
    ++most;
    t.sync();
  }
  // In order, as on the host; from a set in any. Meanwhile one thread does `beside`.
  template <class L, class F>
  IRGL_DEVICE void update(Thread& t, const L& other, F beside) {
    const auto range = other.items();
    if constexpr (decltype(other.items())::holed) {
      update_from(t, range);
    } else {
      const counter_t at = size(), more = range.size();
      t.sync();
      for (size_t p = t.rank(); p < more; p += t.count()) put(at + p, T(range.at(p)));
      if (t.first()) *counter = at + more, beside();
      t.sync();
    }
  }
  template <class L>
  IRGL_DEVICE void update(Thread& t, const L& other) { update(t, other, [] {}); }
  template <class R>
  IRGL_DEVICE void update_from(Thread& t, const R& range) {
    for_each<Block>(t, range, [&](Thread& t, bool valid, T x) { push_block(t, valid, x); });
    most += range.size();
    t.sync();
  }

  IRGL_BOTH counter_t room() const { return capacity > most ? capacity - most : 0; }
};

}  // namespace irgl
