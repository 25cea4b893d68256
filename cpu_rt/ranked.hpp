// A priority queue of one thread, for items that came back (Respawn) because a value of theirs fell, or rose.
//
//     Ranked<T> q;
//     q.push(rt, item, rank_least(value))       or rank_most(value): those of the largest value first
//     q.next()                                  bin 0 holds the items of the least rank, and nothing else but what came late
//     q.now()                                   bin 0, whose items may be taken while others are pushed
// A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, Faster algorithms for the shortest path problem, J. ACM 37, 1990):
// ranks mostly fall due in rising order, and one that comes late - below the last that was taken - goes to bin 0. The
// order is a matter of speed alone. Where more than a quarter come late, as where longer and longer paths are
// looked for, it does harm: then misled() says so, for good.
#pragma once
#include "runtime.hpp"

namespace irgl {

// A number's place among those of its type, as an unsigned number: less before more.
template <class T>
IRGL_INLINE uint64_t rank_least(T value) {
  constexpr uint64_t sign = uint64_t(1) << 63;
  if constexpr (std::is_floating_point_v<T>) {
    const uint64_t bits = detail::bit_cast<uint64_t>(double(value));
    return (bits & sign) != 0 ? ~bits : bits | sign;
  } else if constexpr (std::is_signed_v<T>) {
    return uint64_t(int64_t(value)) ^ sign;
  } else {
    return uint64_t(value);
  }
}
template <class T>
IRGL_INLINE uint64_t rank_most(T value) { return ~rank_least(value); }

template <bool drop, class F>
struct ByRank : F {
  static constexpr bool ranks = true, drops = drop;
};
template <bool drop, class F>
IRGL_INLINE ByRank<drop, F> ranked(const F& rank) { return {rank}; }

template <class T>
class Ranked {
 public:
  struct Entry { uint64_t rank; T item; };

  IRGL_INLINE void push(Runtime& rt, T item, uint64_t rank) {
    ++pushed_, ++size_;
    if (rank <= last_) {
      late_ += rank < floor_;
      bins_[0].push(rt, {rank, item});
    } else {
      const int bin = 64 - __builtin_clzll(rank ^ last_);
      bins_[bin].push(rt, {rank, item});
      filled_ |= uint64_t(1) << (bin - 1);
    }
  }
  Segment<Entry>& now() { return bins_[0]; }
  IRGL_INLINE Entry take() { return --size_, bins_[0].data[--bins_[0].size]; }
  size_t size() const { return size_; }
  bool misled() const { return late_ > 64 && late_ * 4 > pushed_; }

  void next(Runtime& rt) {  // bin 0 is empty, and some other is not
    const int bin = __builtin_ctzll(filled_) + 1;
    Segment<Entry>& from = bins_[bin];
    uint64_t least = from.data[0].rank;
    for (size_t i = 1; i < from.size; ++i)
      if (from.data[i].rank < least) least = from.data[i].rank;
    filled_ &= filled_ - 1;
    last_ = floor_ = least;
    const size_t pushed = pushed_, size = size_, count = from.size;
    from.size = 0;  // all go to lower bins
    for (size_t i = 0; i < count; ++i) push(rt, from.data[i].item, from.data[i].rank);
    pushed_ = pushed, size_ = size;
  }
  uint64_t last() const { return last_; }
  uint64_t floor() const { return floor_; }
  // The items up to rank `last` are at work in other places: of this empty queue, or one that has come to `last`.
  void at_work(uint64_t floor, uint64_t last) { floor_ = floor, last_ = last; }

  void begin() { last_ = floor_ = pushed_ = late_ = 0; }  // anew; it is empty

  template <class F>
  void move_to(F&& f) {  // f(item, rank) of all; none is left
    for (Segment<Entry>& bin : bins_) {
      for (size_t i = 0; i < bin.size; ++i) f(bin.data[i].item, bin.data[i].rank);
      bin.size = 0;
    }
    filled_ = 0, size_ = 0;
  }
  void release() {
    for (Segment<Entry>& bin : bins_) free(static_cast<void*>(bin.data));
  }

 private:
  Segment<Entry> bins_[65];
  uint64_t filled_, last_, floor_;
  size_t size_, pushed_, late_;
};

}  // namespace irgl
