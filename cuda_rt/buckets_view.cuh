// buckets<T> in kernels (buckets.cuh has the host's side and tells of both).
#pragma once
#include "list.cuh"

namespace irgl {

template <class T>
struct Late {
  int64_t priority;
  T item;
};

struct Everybody {  // of what waits nothing is stale (ordered.cuh has others)
  template <class T>
  IRGL_DEVICE bool waits(T, int64_t, int64_t) const { return true; }
};

template <class T, class By = Everybody>
struct BucketsView {
  using item = T;
  By by;
  ListView<T> front;
  ListView<Late<T>> waiting, rest;
  int64_t current = lowest<int64_t>();
  unsigned tries = 0;  // rounds of this invocation before this one
  bool last = false;   // is it the one without items?
  bool known = false;  // has `more` found the next bucket, of rank `next`?
  counter_t next = 0;
  counter_t looked = 0;  // at how many that waited, to find it

  IRGL_BOTH int64_t priority() const { return current; }
  IRGL_DEVICE ListItems<T> items() const { return front.items(); }
  IRGL_DEVICE void push(Thread& t, T x, int64_t p) const { waiting.push(t, late(x, p)); }
  IRGL_DEVICE void push_warp(Thread& t, bool flag, T x, int64_t p) const { waiting.push_warp(t, flag, late(x, p)); }
  IRGL_DEVICE void push_block(Thread& t, bool flag, T x, int64_t p) const { waiting.push_block(t, flag, late(x, p)); }
  IRGL_DEVICE void push_first(Thread& t, T x, int64_t p) { waiting.push_first(t, late(x, p)); }
  IRGL_DEVICE counter_t size() const { return front.size(); }
  IRGL_DEVICE counter_t size(const Thread& t) const { return front.size(t); }
  IRGL_DEVICE bool empty(const Thread& t) const { return front.empty(t); }
  template <class R>
  IRGL_DEVICE bool fits(Thread& t, bound b, const R& range) { return waiting.fits(t, b, range); }

  // What a priority is as a number of which the largest is taken, and 0 for none (late leaves the last one out).
  static IRGL_BOTH counter_t rank_of(int64_t p) { return ~(counter_t(p) ^ (counter_t(1) << 63)); }
  static IRGL_BOTH int64_t from_rank(counter_t r) { return int64_t(~r ^ (counter_t(1) << 63)); }
  IRGL_DEVICE counter_t own_rank(const Thread& t) const {
    counter_t best = 0;
    const ListItems<Late<T>> all = waiting.items();
    for (size_t p = t.rank(); p < all.size(); p += t.count()) {
      const counter_t r = rank_of(all.at(p).priority);
      best = r > best ? r : best;
    }
    return best;
  }
  IRGL_DEVICE void part(Thread& t) const {  // the rest is empty
    for_each<Block>(t, waiting.items(), [&](Thread& t, bool valid, Late<T> x) {
      front.push_block(t, valid && x.priority <= current && by.waits(x.item, x.priority, current), x.item);
      rest.push_block(t, valid && x.priority > current, x);
    });
  }
  IRGL_DEVICE bool advance(Thread& t) {
    if (!known) look(t);
    known = false;
    if (next == 0) return false;  // nothing waits
    if (from_rank(next) > current) current = from_rank(next);
    take(t);
    return true;
  }
  IRGL_DEVICE bool more(Thread& t, bool last_round = false) {
    if (last) {  // what is done then may have pushed
      last = known = false, tries = 0;
      return false;
    }
    const bool none = front.empty(t);  // there was no bucket to run: what was pushed is the next one's
    look(t);
    const bool drained = none || next == 0 || from_rank(next) > current || t.halted;
    known = drained;
    if (!drained) take(t);
    last = drained && last_round && !t.halted;
    tries = drained && !last ? 0 : tries + 1;
    return tries != 0;
  }

 private:
  IRGL_DEVICE Late<T> late(T x, int64_t p) const { return {p - (p == highest<int64_t>()), x}; }
  IRGL_DEVICE void look(Thread& t) {  // empties the front, and finds the least priority that waits
    front.prepare(t);
    rest.prepare(t);
    t.sync();
    front.flip();
    rest.flip();
    looked = waiting.size();
    next = grid_most(t, own_rank(t));
  }
  IRGL_DEVICE void take(Thread& t) {  // what waits for the running bucket goes to the front
    part(t);
    t.sync();
    rest.most = waiting.most;
    waiting.swap(t, rest);
  }
};

namespace detail {
template <class View>
__global__ void rank_kernel(DeviceRuntime c, View v, counter_t* best) {
  Thread t(c);
  const counter_t mine = block_reduce<Max>(v.own_rank(t), counter_t(0));
  if (threadIdx.x == 0 && mine != 0) atomicMax(best, mine);
}
template <class View, class R>
__global__ void file_kernel(DeviceRuntime c, View v, R range, int64_t priority) {
  Thread t(c);
  for_each<Block>(t, range, [&](Thread& t, bool valid, typename R::item x) {
    v.push_block(t, valid, typename View::item(x), priority);
  });
}
template <class View>
__global__ void part_kernel(DeviceRuntime c, View v) {
  Thread t(c);
  v.part(t);
}
}  // namespace detail

}  // namespace irgl
