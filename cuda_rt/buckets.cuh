// buckets<T>: a priority worklist; the items of the smallest priority run first (delta-stepping: Meyer and Sanders,
// 2003).
//
//     irgl::buckets<node_t> wl(c, universe);  wl.push(x, item, priority)  wl.priority()  wl.items()
//     push_warp(t, flag, item, priority)  push_block(t, flag, item, priority)
//     wl.advance(x)     the items of the least priority that waits become the front; false: nothing waits
// A priority below the running one counts as the running one, and comes back by the next advance. Duplicates are kept.
// What waits is one list of items with priorities; an advance finds the least of them and parts the list in two.
// size and empty speak of the front. The front and the list of the rest take at most what waits, so a push's space is
// provided in all three.
#pragma once
#include "list.cuh"

namespace irgl {

template <class T>
struct Late {
  int64_t priority;
  T item;
};

template <class T>
struct BucketsView {
  using item = T;
  ListView<T> front;
  ListView<Late<T>> waiting, rest;
  int64_t current = lowest<int64_t>();

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
  IRGL_DEVICE void part(Thread& t) const {  // the front and the rest are empty
    for_each<Block>(t, waiting.items(), [&](Thread& t, bool valid, Late<T> x) {
      front.push_block(t, valid && x.priority == current, x.item);
      rest.push_block(t, valid && x.priority != current, x);
    });
  }
  IRGL_DEVICE bool advance(Thread& t) {
    front.prepare(t);
    rest.prepare(t);
    t.sync();
    front.flip();
    rest.flip();
    const counter_t best = grid_most(t, own_rank(t));
    if (best == 0) return false;  // nothing waits
    current = from_rank(best);
    part(t);
    t.sync();
    rest.most = waiting.most;
    waiting.swap(t, rest);
    return true;
  }

 private:
  IRGL_DEVICE Late<T> late(T x, int64_t p) const { return {p < current ? current : p - (p == highest<int64_t>()), x}; }
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

template <class T>
class buckets {
 public:
  using item = T;
  using View = BucketsView<T>;

  buckets(Launcher& c, size_t universe) : c_(&c), front_(c, universe), waiting_(c, universe), rest_(c, universe) {}
  View view() {
    level();
    View v;
    v.front = front_.view(), v.waiting = waiting_.view(), v.rest = rest_.view();
    v.current = current_;
    return v;
  }
  int64_t priority() const { return current_; }
  ListItems<T> items(HostBase& c) { return front_.items(c); }
  counter_t size(HostBase& c) { return front_.size(c); }
  bool empty(HostBase& c) { return front_.empty(c); }
  void push(HostBase& c, T x, int64_t p) { waiting_.push(c, Late<T>{p < current_ ? current_ : p, x}); }
  void in_push(HostBase& c, T x, int64_t p) { push(c, x, p); }
  template <class R>
  void in_update(Launcher& c, const R& range, int64_t p) {
    waiting_.reserve_for(c, bound{1, 0}, range);
    if (range.size() != 0) c.launch(detail::file_kernel<View, R>, range.size(), c.device_runtime(), view(), range, p);
  }
  void clear(HostBase& c) {
    front_.clear(c), waiting_.clear(c), rest_.clear(c);
    current_ = lowest<int64_t>();
  }
  bool advance(Launcher& c) {
    front_.clear(c), rest_.clear(c);
    const counter_t size = waiting_.size(c);
    if (size == 0 || c.halted()) return false;
    counter_t* best = c.take_counter();
    c.launch(detail::rank_kernel<View>, size_t(size), c.device_runtime(), view(), best);
    current_ = View::from_rank(c.read(best));
    c.give_counter(best);
    c.launch(detail::part_kernel<View>, size_t(size), c.device_runtime(), view());
    waiting_.swap(c, rest_);
    return true;
  }
  void spill() { waiting_.spill(), rest_.spill(), front_.spill(); }
  template <class R>
  void reserve_for(Launcher& c, bound b, const R& range) { waiting_.reserve_for(c, b, range); }
  void adopt(Launcher& c, const View& v) {
    front_.adopt(c, v.front), waiting_.adopt(c, v.waiting), rest_.adopt(c, v.rest);
    current_ = v.current;
  }

 private:
  void level() {  // the same capacity for all three, and a spill for all or none
    waiting_.size(*c_);
    if (waiting_.spills() || rest_.spills()) spill();
    counter_t most = waiting_.capacity() > rest_.capacity() ? waiting_.capacity() : rest_.capacity();
    most = most > front_.capacity() ? most : front_.capacity();
    waiting_.grow(most), rest_.grow(most), front_.grow(most);
  }
  Launcher* c_;
  list<T> front_;
  list<Late<T>> waiting_, rest_;
  int64_t current_ = lowest<int64_t>();
};

}  // namespace irgl
