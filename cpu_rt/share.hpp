// Share: the chunks of a loop that one thread begins with.
//
//     share.set(begin, end)     nobody is taking any
//     share.first(chunk)        for its thread;  false: none is left
//     share.last(chunk)         for the others
// Items that lie near each other in a list mostly lie near each other in the graph. Where both ends are taken, what a
// thread runs stays one stretch of the list, and so does what it pushes: in the next round it meets what its cache holds.
#pragma once
#include "types.hpp"

namespace irgl {

class Share {
 public:
  void set(size_t begin, size_t end) { __atomic_store_n(&both_, int64_t(uint64_t(end) << 32 | begin), __ATOMIC_RELAXED); }
  bool first(size_t& chunk) {
    if (!some(__atomic_load_n(&both_, __ATOMIC_RELAXED))) return false;
    const int64_t was = __atomic_fetch_add(&both_, 1, __ATOMIC_RELAXED);
    chunk = size_t(uint32_t(was));
    return some(was);
  }
  bool last(size_t& chunk) {
    if (!some(__atomic_load_n(&both_, __ATOMIC_RELAXED))) return false;
    const int64_t was = __atomic_fetch_sub(&both_, int64_t(1) << 32, __ATOMIC_RELAXED);
    chunk = size_t(was >> 32) - 1;
    return some(was);
  }

 private:
  // Who comes when none is left moves an end past the other: each thread once, so that neither leaves its half.
  static bool some(int64_t both) { return int32_t(both) < int32_t(both >> 32); }
  int64_t both_ = 0;  // the end above, the begin below
};

}  // namespace irgl
