// ordered<T, By>: the buckets of a priority queue (buckets.cuh), of which nobody sees those that hold nobody any more.
//
//     irgl::ordered<node_t, By> wl(c, universe, by, lists);
//     wl.in_push(c, x)  wl.in_update(c, range)     file them, each in the bucket of its property, by.bucket(x)
//     while (!wl.empty(c)) ...       does anybody wait? The next bucket is chosen, as by
//     wl.choose(c);                  in front of what runs items: unless one is chosen that has not run
//     wl.next(c)                     the priority of the bucket that is chosen then
//     by.waits(x, p, running)        is x, filed in bucket p, in the queue, and in the one that runs or before it? What
//                                    waits in buckets may be stale
//     wl.early(x)                    true: who comes to the front has been asked
// What is filed at or before the bucket that was chosen last is of it: of the one that ran, until the next is chosen.
// What is stale is left out where a bucket's items go to the front. In outlined loops the view chooses: all threads of
// the grid ask it, behind a barrier since others have filed.
#pragma once
#include "buckets.cuh"

namespace irgl {

// A property of 64 bits: its ends are those of nobody who waits.
IRGL_BOTH bool inside(int64_t x) { return x != highest<int64_t>() && x > -highest<int64_t>(); }

template <class T, class By>
struct OrderedView : BucketsView<T, By> {
  using Base = BucketsView<T, By>;
  bool begun = false;   // was any bucket chosen?
  bool chosen = false;  // is one that has not run?

  IRGL_BOTH int64_t priority() const { return begun ? this->current : 0; }
  IRGL_BOTH bool early(T) const { return true; }
  IRGL_DEVICE bool empty(Thread& t) { return !choose(t); }
  IRGL_DEVICE bool more(Thread& t, bool last_round = false) { return chosen = Base::more(t, last_round); }
  IRGL_DEVICE bool choose(Thread& t) {
    const int64_t last = this->current;
    while (!chosen && this->advance(t)) chosen = !Base::empty(t);
    begun |= chosen;
    if (!chosen) this->current = this->base = last, this->span = 1;
    return chosen;
  }
};

namespace detail {
template <class View, class R>
__global__ void file_each_kernel(DeviceRuntime c, View v, R range) {
  Thread t(c);
  for_each<Block>(t, range, [&](Thread& t, bool valid, typename R::item x) {
    v.push_block(t, valid, typename View::item(x), valid ? v.by.bucket(x) : 0);
  });
}
}  // namespace detail

template <class T, class By>
class ordered : public detail::Buckets<T, OrderedView<T, By>> {
 public:
  using View = OrderedView<T, By>;
  using Base = detail::Buckets<T, View>;

  ordered(Launcher& c, size_t universe, const By& by, unsigned lists) : Base(c, universe, lists, first(by)) {}
  View view() {
    View v = Base::view();
    v.begun = begun_, v.chosen = chosen_;
    return v;
  }
  void adopt(Launcher& c, const View& v) {
    Base::adopt(c, v);
    begun_ = v.begun, chosen_ = v.chosen;
  }
  void in_push(Launcher& c, T x) { in_update(c, single(x)); }
  template <class R>
  void in_update(Launcher& c, const R& range) {
    this->reserve_for(c, bound{1, 0}, range);
    if (range.size() != 0) c.launch(detail::file_each_kernel<View, R>, range.size(), c.device_runtime(), view(), range);
  }
  bool empty(Launcher& c) { return !choose(c); }
  bool more(Launcher& c, bool last_round = false) { return chosen_ = Base::more(c, last_round); }
  int64_t priority() const { return begun_ ? this->current_ : 0; }
  int64_t next(Launcher& c) { return choose(c), priority(); }
  bool choose(Launcher& c) {
    const int64_t last = this->current_;
    while (!chosen_ && this->advance(c)) chosen_ = !Base::empty(c);
    begun_ |= chosen_;
    if (!chosen_) this->current_ = this->base_ = last, this->span_ = 1;
    return chosen_;
  }

 private:
  static View first(const By& by) {
    View v;
    v.by = by;
    return v;
  }
  bool chosen_ = false;  // a bucket, which has not run
  bool begun_ = false;
};

}  // namespace irgl
