// buckets<T>: a priority worklist; the items of the smallest priority run first (delta-stepping: Meyer and Sanders,
// 2003).
//
//     irgl::buckets<node_t> wl(c, universe);  wl.push(x, item, priority)  wl.priority()  wl.items()
//     push_warp(t, flag, item, priority)  push_block(t, flag, item, priority)
//     wl.advance(x)     the items of the least priority that waits become the front; false: nothing waits
//     wl.more(x)        those of the running bucket that wait become the front; false: it is drained. more(x, true) has
//                       a round more for what is done then, without items, in which wl.last
//     wl.join(c)        they join the front, behind what runs no bucket; where it is empty the next bucket becomes it
// A priority below the running one counts as the running one. Duplicates are kept.
// What waits is one list of items with priorities; an advance finds the least of them and parts the list in two.
// size and empty speak of the front. The front and the list of the rest take at most what waits, so a push's space is
// provided in all three.
#pragma once
#include "buckets_view.cuh"

namespace irgl {
namespace detail {

template <class T, class V>
class Buckets {
 public:
  using item = T;
  using View = V;

  Buckets(Launcher& c, size_t universe, const View& first = View())
      : c_(&c), first_(first), front_(c, universe), waiting_(c, universe), rest_(c, universe) {}
  View view() {
    level();
    View v = first_;
    v.front = front_.view(), v.waiting = waiting_.view(), v.rest = rest_.view();
    v.current = current_, v.tries = tries_, v.last = last_, v.known = known_, v.next = next_, v.looked = looked_;
    return v;
  }
  int64_t priority() const { return current_; }
  ListItems<T> items(HostBase& c) { return front_.items(c); }
  counter_t size(HostBase& c) { return front_.size(c); }
  bool empty(HostBase& c) { return front_.empty(c); }
  void push(HostBase& c, T x, int64_t p) { waiting_.push(c, Late<T>{p - (p == highest<int64_t>()), x}); }
  void in_push(HostBase& c, T x, int64_t p) { push(c, x, p); }
  template <class R>
  void in_update(Launcher& c, const R& range, int64_t p) {
    waiting_.reserve_for(c, bound{1, 0}, range);
    if (range.size() != 0) c.launch(file_kernel<View, R>, range.size(), c.device_runtime(), view(), range, p);
  }
  void clear(HostBase& c) {
    front_.clear(c), waiting_.clear(c), rest_.clear(c);
    current_ = lowest<int64_t>();
  }
  bool advance(Launcher& c) {
    front_.clear(c);
    const counter_t best = known_ ? next_ : least(c);
    known_ = false;
    if (best == 0) return false;
    if (View::from_rank(best) > current_) current_ = View::from_rank(best);
    take(c);
    return true;
  }
  bool more(Launcher& c, bool last_round = false) {
    if (last_) {  // what is done then may have pushed
      last_ = known_ = false, tries_ = 0;
      return false;
    }
    const bool none = front_.empty(c);  // there was no bucket to run: what was pushed is the next one's
    front_.clear(c);
    next_ = least(c);
    const bool drained = none || next_ == 0 || View::from_rank(next_) > current_;
    known_ = drained;
    if (!drained) take(c);
    last_ = drained && last_round && !c.halted();
    tries_ = drained && !last_ ? 0 : tries_ + 1;
    return tries_ != 0;
  }
  void join(Launcher& c) {
    if (front_.empty(c)) {
      advance(c);
    } else if (const counter_t waits = waiting_.size(c)) {
      front_.grow(front_.size(c) + waits);
      take(c);
    }
  }
  void spill() { waiting_.spill(), rest_.spill(), front_.spill(); }
  template <class R>
  void reserve_for(Launcher& c, bound b, const R& range) { waiting_.reserve_for(c, b, range); }
  void adopt(Launcher& c, const View& v) {
    front_.adopt(c, v.front), waiting_.adopt(c, v.waiting), rest_.adopt(c, v.rest);
    current_ = v.current, tries_ = v.tries, last_ = v.last, known_ = v.known, next_ = v.next, looked_ = v.looked;
  }

 protected:
  counter_t least(Launcher& c) {  // the rank of the least priority that waits, 0: nothing does
    const counter_t size = looked_ = waiting_.size(c);
    if (size == 0 || c.halted()) return 0;
    counter_t* best = c.take_counter();
    c.launch(rank_kernel<View>, size_t(size), c.device_runtime(), view(), best);
    const counter_t found = c.read(best);
    c.give_counter(best);
    return found;
  }
  void take(Launcher& c) {  // what waits for the running bucket goes to the front
    rest_.clear(c);
    c.launch(part_kernel<View>, size_t(waiting_.size(c)), c.device_runtime(), view());
    waiting_.swap(c, rest_);
  }
  void level() {  // the same capacity for all three, and a spill for all or none
    waiting_.size(*c_);
    if (waiting_.spills() || rest_.spills()) spill();
    counter_t most = waiting_.capacity() > rest_.capacity() ? waiting_.capacity() : rest_.capacity();
    most = most > front_.capacity() ? most : front_.capacity();
    waiting_.grow(most), rest_.grow(most), front_.grow(most);
  }
  Launcher* c_;
  View first_;  // of which only what the host doesn't know of differs from view() later
  list<T> front_;
  list<Late<T>> waiting_, rest_;
  int64_t current_ = lowest<int64_t>();
  counter_t next_ = 0;  // the rank of the next bucket, where `more` has found it
  counter_t looked_ = 0;  // at how many that waited
  bool known_ = false, last_ = false;
  unsigned tries_ = 0;
};
}  // namespace detail

template <class T>
struct buckets : detail::Buckets<T, BucketsView<T>> {
  using detail::Buckets<T, BucketsView<T>>::Buckets;
};

}  // namespace irgl
