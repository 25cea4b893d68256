// buckets<T> in kernels (buckets.cuh has the host's side and tells of both).
#pragma once
#include "few.cuh"
#include "filed.cuh"

namespace irgl {

template <class T, class By = Everybody>
struct BucketsView : FiledView<T, By> {
  using Base = FiledView<T, By>;
  using Base::again, Base::base, Base::bin, Base::by, Base::current, Base::far, Base::front, Base::near,
      Base::push_block, Base::rest, Base::span;
  unsigned tries = 0;    // rounds of this invocation before this one
  bool last = false;     // is it the one without items?
  bool settled = false;  // has the front been emptied, behind a barrier since the last kernel?

  IRGL_DEVICE bool advance(Thread& t) {
    if (!settled) settle(t);
    settled = false;
    if (!again.empty(t)) return take_again(t, false), true;
    for (unsigned k = unsigned(current - base) + 1; k < span; ++k)
      if (near.size(k - 1) != 0) {
        current = base + k;
        take(t, near.items(k - 1), current);
        return true;
      }
    return move_window(t);
  }
  IRGL_DEVICE bool more(Thread& t, bool last_round = false) {
    if (last) {  // what is done then may have filed some
      last = false, tries = 0;
      return false;
    }
    const bool none = front.empty(t);  // there was no bucket to run: what was pushed is the next one's
    settle(t);
    const bool drained = none || again.empty(t) || t.halted;
    if (drained) t.sync();  // all have seen that none waits before anybody files another
    else take_again(t, By::lazy);
    last = drained && last_round && !t.halted;
    settled = drained && !last;
    tries = drained && !last ? 0 : tries + 1;
    return tries != 0;
  }
  // What a priority is as a number of which the largest is taken, and 0 for none (put leaves the last one out).
  static IRGL_BOTH counter_t rank_of(int64_t p) { return ~(counter_t(p) ^ (counter_t(1) << 63)); }
  static IRGL_BOTH int64_t from_rank(counter_t r) { return int64_t(~r ^ (counter_t(1) << 63)); }
  IRGL_DEVICE counter_t own_rank(const Thread& t) const {  // the least priority of what a thread sees of the far ones
    counter_t best = 0;
    const ListItems<Late<T>> all = far.items();
    for (size_t p = t.rank(); p < all.size(); p += t.count()) {
      const counter_t r = rank_of(all.at(p).priority);
      best = r > best ? r : best;
    }
    return best;
  }
  IRGL_DEVICE void count_near(const Thread& t) const {  // how many of the far ones are of each bucket of the window
    const ListItems<Late<T>> all = far.items();
    for (size_t p = t.rank(); p < all.size(); p += t.count()) {
      const unsigned b = bin(all.at(p).priority);
      if (b != 0 && b != far_bin) atomicAdd(near.counter(b - 1), counter_t(1));
    }
  }
  template <class R>
  IRGL_DEVICE void copy(Thread& t, const R& range, int64_t filed, bool all = false) const {  // all, or those that wait
    for_each<Block>(t, range, [&](Thread& t, bool valid, T x) {
      front.push_block(t, valid && (all || by.waits(x, filed, current)), x);
    });
  }
  IRGL_DEVICE void part(Thread& t) const {  // the far ones go to where they are now; the rest is empty
    for_each<Block>(t, far.items(), [&](Thread& t, bool valid, Late<T> x) {
      const bool runs = valid && x.priority <= current, stays = valid && !runs && bin(x.priority) == far_bin;
      front.push_block(t, runs && by.waits(T(x.item), x.priority, current), T(x.item));
      push_block(t, valid && !runs && !stays, T(x.item), x.priority);
      rest.push_block(t, stays, x);
    });
  }

 private:
  IRGL_DEVICE void settle(Thread& t) {
    front.prepare(t);
    again.prepare(t);
    t.sync();
    front.flip();
  }
  template <class R>
  IRGL_DEVICE void take(Thread& t, const R& range, int64_t filed, bool all = false) {
    copy(t, range, filed, all);
    if constexpr (By::free) widen(t, range.size());
    t.sync();
  }
  IRGL_DEVICE void take_again(Thread& t, bool all) {  // who filed them before this bucket, nobody knows
    take(t, again.items(), lowest<int64_t>(), all);
    again.flip();
  }
  // Where nodes may run in any order, buckets run together as long as they hold fewer items than there are threads, and
  // the front has room: for one list alone it always has.
  IRGL_DEVICE void widen(Thread& t, counter_t some) {
    const counter_t threads = t.solo ? few_items : t.count(), room = front.capacity + front.spill_capacity;
    const counter_t wanted = threads < room ? threads : room;
    for (unsigned k = unsigned(current - base) + 1; k < span; ++k) {
      some += near.size(k - 1);
      if (some > wanted) return;
      current = base + k;
      copy(t, near.items(k - 1), current);
    }
  }
  IRGL_DEVICE bool move_window(Thread& t) {  // it begins with the least that is far
    if (far.empty(t)) return t.sync(), false;  // likewise
    rest.prepare(t);
    if (t.first())
      for (unsigned k = 0; k < near.lists; ++k)
        if (near.size(k) != 0) *near.counter(k) = 0;  // it has run: those that others look at are empty
    base = current = from_rank(grid_most(t, own_rank(t)));
    rest.flip();
    span = near.lists + 1;
    const counter_t all = far.size();
    if (span > 1 && all > near.all()) narrow(t);
    part(t);
    t.sync();
    near.most = all < near.capacity ? all : near.capacity;
    rest.most = far.most;
    far.swap(t, rest);
    return true;
  }
  IRGL_DEVICE void narrow(Thread& t) {  // the window ends where a list would hold more than it can
    count_near(t);
    t.sync();
    for (unsigned k = 1; k < span; ++k)
      if (near.size(k - 1) > near.all()) span = k;
    t.sync();
    if (t.first())
      for (unsigned k = 0; k < near.lists; ++k) *near.counter(k) = 0;
    t.sync();
  }
};

namespace detail {
template <class View>
__global__ void rank_kernel(DeviceRuntime c, View v, counter_t* best) {
  Thread t(c);
  const counter_t mine = block_reduce<Max>(v.own_rank(t), counter_t(0));
  if (threadIdx.x == 0 && mine != 0) atomicMax(best, mine);
}
template <class View>
__global__ void count_near_kernel(DeviceRuntime c, View v) {
  Thread t(c);
  v.count_near(t);
}
template <class View, class R>
__global__ void file_kernel(DeviceRuntime c, View v, R range, int64_t priority) {
  Thread t(c);
  for_each<Block>(t, range, [&](Thread& t, bool valid, typename R::item x) {
    v.push_block(t, valid, typename View::item(x), priority);
  });
}
template <class View, class R>
__global__ void copy_kernel(DeviceRuntime c, View v, R range, int64_t filed, bool all) {
  Thread t(c);
  v.copy(t, range, filed, all);
}
template <class View>
__global__ void part_kernel(DeviceRuntime c, View v) {
  Thread t(c);
  v.part(t);
}
}  // namespace detail

}  // namespace irgl
