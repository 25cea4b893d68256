// buckets<T>: a priority worklist; the items of the smallest priority run first (delta-stepping: Meyer and Sanders,
// 2003).
//
//     irgl::buckets<node_t> wl(c, universe, lists);  wl.push(x, item, priority)  wl.priority()  wl.items()
//     push_warp(t, flag, item, priority)  push_block(t, flag, item, priority)
//     wl.advance(x)     the items of the least priority that waits become the front; false: nothing waits
//     wl.more(x)        those of the running bucket that wait become the front, or all (By::lazy: the kernel knows what
//                       they are there for); false: it is drained. more(x, true) has a round more for what is done
//                       then, without items, in which wl.last
//     wl.join(c)        they join the front, behind what runs no bucket; where it is empty the next bucket becomes it
// A priority below the running one counts as the running one. Duplicates are kept.
// Of the `lists`, 2 to 64, one has what comes into the running bucket, one each the items of the buckets behind it, and
// the last, with their priorities, all that are farther: near and far, where there are two. So an advance looks at what
// its bucket holds, and at the sizes of the others; where these are empty, the window moves to the least priority of
// the far ones, which are parted anew. size and empty speak of the front, which has space for any list.
#pragma once
#include "buckets_view.cuh"

namespace irgl {
namespace detail {

template <class T, class V>
class Buckets {
 public:
  using item = T;
  using View = V;

  Buckets(Launcher& c, size_t universe, unsigned lists, const View& first = View())
      : c_(&c), first_(first), front_(c, universe), again_(c, universe), near_(c, lists - 2, universe),
        far_(c, universe), rest_(c, universe) {}
  View view() {
    level();
    View v = first_;
    v.front = front_.view(), v.again = again_.view(), v.near = near_.view();
    v.far = far_.view(), v.rest = rest_.view();
    v.base = base_, v.current = current_, v.span = span_, v.tries = tries_, v.last = last_;
    return v;
  }
  int64_t priority() const { return current_; }
  ListItems<T> items(HostBase& c) { return front_.items(c); }
  counter_t size(HostBase& c) { return front_.size(c); }
  bool empty(HostBase& c) { return front_.empty(c); }
  void push(HostBase& c, T x, int64_t p) {
    View where;
    where.base = base_, where.current = current_, where.span = span_;
    const unsigned b = where.bin(p);
    if (b == 0) again_.push(c, x);
    else if (b == far_bin) far_.push(c, Late<T>{View::in_range(p), wide_t<T>(x)});
    else near_.push(b - 1, x);
  }
  void in_push(HostBase& c, T x, int64_t p) { push(c, x, p); }
  template <class R>
  void in_update(Launcher& c, const R& range, int64_t p) {
    reserve_for(c, bound{1, 0}, range);
    if (range.size() != 0) c.launch(file_kernel<View, R>, range.size(), c.device_runtime(), view(), range, p);
  }
  void clear(HostBase& c) {
    front_.clear(c), again_.clear(c), near_.clear(), far_.clear(c), rest_.clear(c);
    base_ = current_ = lowest<int64_t>(), span_ = 1;
  }
  bool advance(Launcher& c) {
    front_.clear(c);
    if (c.halted()) return false;
    level();  // before anybody says where items are
    if (!again_.empty(c)) return take_again(c), true;
    for (unsigned k = unsigned(current_ - base_) + 1; k < span_; ++k)
      if (near_.size(k - 1) != 0) {
        current_ = base_ + k;
        take(c, near_.items(k - 1), current_);
        near_.clear(k - 1);
        return true;
      }
    return move_window(c);
  }
  bool more(Launcher& c, bool last_round = false) {
    if (last_) {  // what is done then may have filed some
      last_ = false, tries_ = 0;
      return false;
    }
    const bool none = front_.empty(c);  // there was no bucket to run: what was pushed is the next one's
    front_.clear(c);
    const bool drained = none || c.halted() || again_.empty(c);
    if (!drained) take_again(c, View::order::lazy);
    last_ = drained && last_round && !c.halted();
    tries_ = drained && !last_ ? 0 : tries_ + 1;
    return tries_ != 0;
  }
  void join(Launcher& c) {
    if (front_.empty(c)) {
      advance(c);
    } else if (const counter_t waits = again_.size(c)) {
      front_.grow(front_.size(c) + waits);
      take_again(c);
    }
  }
  void spill() { front_.spill(), again_.spill(), near_.spill(), far_.spill(), rest_.spill(); }
  template <class R>
  void reserve_for(Launcher& c, bound b, const R& range) {
    if (b.unknown()) return spill();
    const counter_t one = again_.room(c) < far_.room(c) ? again_.room(c) : far_.room(c), near = near_.room();
    const counter_t need = host_need(c, b, range, near < one ? near : one);
    again_.provide(c, need), near_.provide(need), far_.provide(c, need);
  }
  void adopt(Launcher& c, const View& v) {
    front_.adopt(c, v.front), again_.adopt(c, v.again), near_.adopt(v.near);
    far_.adopt(c, v.far), rest_.adopt(c, v.rest), rest_.clear(c);  // whose items are old
    base_ = v.base, current_ = v.current, span_ = v.span, tries_ = v.tries, last_ = v.last;
  }

 protected:
  template <class R>
  void take(Launcher& c, const R& range, int64_t filed, bool all = false) {  // all go to the front, or who waits
    if (range.size() != 0)
      c.launch(copy_kernel<View, R>, range.size(), c.device_runtime(), view(), range, filed, all);
  }
  void take_again(Launcher& c, bool all = false) {
    level();
    take(c, again_.items(c), lowest<int64_t>(), all);
    again_.clear(c);
  }
  bool move_window(Launcher& c) {
    const counter_t all = far_.size(c);
    if (all == 0) return false;
    near_.clear();
    counter_t* best = c.take_counter();
    c.launch(rank_kernel<View>, size_t(all), c.device_runtime(), view(), best);
    base_ = current_ = View::from_rank(c.read(best));
    c.give_counter(best);
    span_ = near_.lists() + 1;
    if (span_ > 1 && all > near_.all()) narrow(c, all);
    c.launch(part_kernel<View>, size_t(all), c.device_runtime(), view());
    far_.swap(c, rest_);
    rest_.clear(c);
    return true;
  }
  void narrow(Launcher& c, counter_t all) {
    c.launch(count_near_kernel<View>, size_t(all), c.device_runtime(), view());
    for (unsigned k = 1; k < span_; ++k)
      if (near_.counted(k - 1) > near_.all()) span_ = k;
    near_.clear();
  }
  void level() {  // space in the front for any list, in the rest for the far one; and a spill for all or none
    again_.size(*c_), far_.size(*c_), near_.largest();
    if (again_.spills() || near_.spills() || far_.spills() || rest_.spills() || front_.spills()) spill();
    counter_t most = far_.capacity() > rest_.capacity() ? far_.capacity() : rest_.capacity();
    far_.grow(most), rest_.grow(most);
    most = again_.capacity() > most ? again_.capacity() : most;
    front_.grow(near_.capacity() > most ? near_.capacity() : most);
  }
  Launcher* c_;
  View first_;  // of which only what the host doesn't know of differs from view() later
  list<T> front_, again_;
  near_lists<T> near_;
  list<Late<T>> far_, rest_;
  int64_t base_ = lowest<int64_t>(), current_ = lowest<int64_t>();
  unsigned span_ = 1, tries_ = 0;
  bool last_ = false;
};
}  // namespace detail

template <class T>
struct buckets : detail::Buckets<T, BucketsView<T>> {
  using detail::Buckets<T, BucketsView<T>>::Buckets;
};

}  // namespace irgl
