// ordered<T, By>: the buckets of a priority queue (buckets.hpp), of which nobody sees those that hold nobody any more.
//
//     irgl::ordered<node_t, By> wl(c, universe, by, 1024);    the last: how many buckets are apart; behind it, at first
//     wl.push(t, x)                  files x in the bucket of its property, by.bucket(x)
//     wl.push(t, x, b)               x moves to bucket b
//     while (!wl.empty()) ...        does anybody wait? The next bucket is chosen, as by
//     wl.choose();                   in front of what runs items: unless one is chosen that has not run
//     wl.next()                      the priority of the bucket that is chosen then
//     By::knows                      is it kept who ran? Where not, nodes move to the front alone: then x waits until the
//                                    bucket of its property has run
//     By::whole                      is each node filed where a loop begins? Then what moves beyond the window waits there
//     by.waits(x)                    where it is: has x been filed, and not run since? What lies in buckets may be stale
//     wl.early(x)                    was x filed before the bucket that runs? Then that bucket has it
// What is filed at or before the bucket that was chosen last is of it: of the one that ran, until the next is chosen.
// A node beyond the window lies there once, however often it moves (Julienne: Dhulipala, Blelloch and Shun, SPAA 2017).
#pragma once
#include "buckets.hpp"
#include "early.hpp"

namespace irgl {

// A property of 64 bits: its ends are those of nobody who waits.
IRGL_INLINE bool inside(int64_t x) { return x != highest<int64_t>() && x > -highest<int64_t>(); }

namespace detail {
template <class T, class By>
struct AsItIs {  // what waits beyond the window has the priority of its property, whatever that was before
  using entry = T;
  By by;
  Array<uint8_t> here;
  AsItIs(const By& order, size_t universe) : by(order), here(By::whole ? 0 : universe, true) {}
  IRGL_INLINE bool wants(T x) const {
    if constexpr (By::whole) return true;  // it comes once, where a loop begins
    if (load(here[size_t(x)]) != 0) return false;
    store(here[size_t(x)], uint8_t(1));  // where two threads find it at once, it lies there twice
    return true;
  }
  IRGL_INLINE T kept(T x, int64_t) const { return x; }
  bool stays(T x, int64_t end) const {
    if constexpr (By::knows) return by.waits(x);
    else return by.bucket(x) >= end;  // else it was filed again, nearer
  }
  int64_t priority(T x) const { return by.bucket(x); }
  T opened(T x) const {
    if constexpr (!By::whole) here[size_t(x)] = 0;
    return x;
  }
};
}  // namespace detail

template <class T, class By>
class ordered : public buckets<T, detail::AsItIs<T, By>> {
  using Base = buckets<T, detail::AsItIs<T, By>>;

 public:
  ordered(Runtime& c, size_t universe, const By& by, size_t window, size_t first = 0)
      : Base(c, universe, {by, universe}, window, first), early_(universe) {}
  void push(Thread& t, T x) { file(t, x, this->far_.by.bucket(x)); }
  IRGL_INLINE void push(Thread& t, T x, int64_t bucket) {
    if (!By::whole || bucket < Base::end()) file(t, x, bucket);
    else Base::note_far(t, bucket);
  }
  bool empty() { return !choose(); }
  bool more() { return chosen_ = Base::more(); }
  int64_t priority() const { return begun_ ? Base::priority() : 0; }
  int64_t next() { return choose(), priority(); }
  IRGL_INLINE bool early(T x) const { return early_.holds(x, Base::priority()); }
  bool choose() {
    const int64_t last = Base::priority();
    while (!chosen_ && this->advance()) chosen_ = anybody();
    begun_ |= chosen_;
    if (!chosen_) this->back_to(last);
    return chosen_;
  }

 private:
  IRGL_INLINE void file(Thread& t, T x, int64_t bucket) {
    if (!By::knows && __builtin_expect(bucket < Base::priority(), 0)) early_.note(x, Base::priority());
    Base::push(t, x, bucket);
  }
  // Does somebody wait in the bucket that is the items? Mostly one of the first; all threads ask where there are many.
  IRGL_INLINE bool anybody() {
    constexpr size_t few = 4096;
    const Segments<T> here = this->items();
    const int64_t running = Base::priority();
    size_t asked = 0;
    for (int i = 0; i < here.count; ++i)
      for (size_t k = 0; k < here.start[i + 1] - here.start[i]; ++k) {
        if (waits(here.parts[i].data[k], running)) return true;
        if (++asked == few) return anybody_of(here, running);
      }
    return false;
  }
  IRGL_NOINLINE bool anybody_of(const Segments<T>& here, int64_t running) {
    bool found = false;
    for_each(*this->c_, here, [&](Thread&, auto&, T x) {
      if (!load(found) && waits(x, running)) store(found, true);
    });
    return found;
  }
  bool waits(T x, int64_t running) const {
    const By& by = this->far_.by;
    if constexpr (By::knows) return by.waits(x) && by.bucket(x) <= running;
    else return by.bucket(x) == running || early(x);
  }
  Early<T> early_;
  bool chosen_ = false;  // a bucket, which has not run
  bool begun_ = false;   // was any chosen?
};

}  // namespace irgl
