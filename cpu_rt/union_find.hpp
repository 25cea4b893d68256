// union_find: the twin of irgl/lib/union_find.irgl: sets of the numbers 0 .. size-1 that only ever become one.
//
//     irgl::union_find u(c);  u.resize(n);  u.unite(t, a, b);  u.find(a);  u.same(a, b);  u.size()
// A forest in which each number but the least of its set hangs from a smaller one (R. Anderson and H. Woll, Wait-free
// parallel algorithms for the union-find problem, STOC 1991). unite hangs the larger of two roots from the smaller by
// compare-and-swap, so that no cycle can close and a root is the least number of its set. Who walks up hangs what he
// passes from the number above the next one (path halving): that stays above it for ever, whoever stores it last.
// All may be called by all at once, but for resize. An operation takes effect at the load or the exchange that found a
// root to be one: `same` says no if the first root still is one when the second is known. A number outside is a fault.
#pragma once
#include "atomics.hpp"
#include "runtime.hpp"

namespace irgl {

class union_find {
 public:
  explicit union_find(Runtime& c) : c_(&c) {}
  int64_t size() const { return int64_t(up_.size()); }
  void resize(int64_t wanted, int64_t place = 0) {
    if (wanted < 0) return c_->fault(place | access_fault);
    Array<int64_t> fresh{size_t(wanted)};
    for (int64_t i = 0; i < wanted; ++i) fresh[size_t(i)] = i < size() ? up_[size_t(i)] : i;
    up_.swap(fresh);
  }
  bool unite(Thread&, int64_t a, int64_t b, int64_t place = 0) {
    if (!has(a, place) || !has(b, place)) return false;
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return false;
      int64_t high = a < b ? b : a;
      if (__atomic_compare_exchange_n(&up_[size_t(high)], &high, a < b ? a : b, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST))
        return true;
    }
  }
  int64_t find(int64_t a, int64_t place = 0) const { return has(a, place) ? root(a) : a; }
  bool same(int64_t a, int64_t b, int64_t place = 0) const {
    if (!has(a, place) || !has(b, place)) return false;
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return true;
      if (above(a) == a) return false;
    }
  }

 private:
  IRGL_INLINE bool has(int64_t a, int64_t place) const {
    if (__builtin_expect(uint64_t(a) < uint64_t(up_.size()), 1)) return true;
    return c_->fault(place | access_fault), false;
  }
  IRGL_INLINE int64_t above(int64_t a) const { return __atomic_load_n(&up_[size_t(a)], __ATOMIC_SEQ_CST); }
  IRGL_INLINE int64_t root(int64_t a) const {
    for (;;) {
      const int64_t next = above(a);
      if (next == a) return a;
      const int64_t after = above(next);
      if (after == next) return next;
      __atomic_store_n(&up_[size_t(a)], after, __ATOMIC_RELEASE);
      a = after;
    }
  }

  Runtime* c_;
  Array<int64_t> up_;
};

}  // namespace irgl
