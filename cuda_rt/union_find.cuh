// union_find: the twin of irgl/lib/union_find.irgl and cpu_rt/union_find.hpp, which says why it is right: a forest of
// the numbers 0 .. size-1, in memory that never moves (array.cuh).
//
//     irgl::union_find u(c);  u.resize(n, place);  u.unite(x, a, b, place)  u.find(a, place)  u.same(a, b, place)
// x: the thread, or on the host the context. Kernels take a view(). A root has 0 in its place, every other number one
// more than the number that it hangs from. Places are read and stored by load and store, and roots hung by atomics. A
// fence stands behind what was read of others' links, before a link is stored and behind a unite, so that who has seen
// two numbers in one set, and whoever sees what he does then, never sees them apart; and in `same` before it looks
// whether the first root still is one.
#pragma once
#include "array.cuh"

namespace irgl {

class UnionFindView {
 public:
  IRGL_BOTH explicit UnionFindView(const ArrayView<int64_t>& up) : up_(up) {}
  IRGL_BOTH int64_t size() const { return int64_t(up_.seen); }
  IRGL_DEVICE bool unite(Thread&, int64_t a, int64_t b, int64_t place = 0) const {
    if (!has(a, place) || !has(b, place)) return false;
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return false;
      if (!atomic_cas(up_.data[a < b ? b : a], 0, (a < b ? a : b) + 1).changed) continue;
      __threadfence();
      return true;
    }
  }
  IRGL_DEVICE int64_t find(int64_t a, int64_t place = 0) const { return has(a, place) ? root(a) : a; }
  IRGL_DEVICE bool same(int64_t a, int64_t b, int64_t place = 0) const {
    if (!has(a, place) || !has(b, place)) return false;
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return true;
      __threadfence();
      if (load(up_.data[a]) == 0) return false;
    }
  }

 private:
  IRGL_DEVICE bool has(int64_t a, int64_t place) const {
    if (uint64_t(a) < uint64_t(up_.seen)) return true;
    up_.c.fault(place | access_fault);
    return false;
  }
  IRGL_DEVICE int64_t root(const int64_t from) const {
    int64_t a = from;
    for (;;) {
      const int64_t next = load(up_.data[a]) - 1;
      if (next < 0) break;
      const int64_t after = load(up_.data[next]) - 1;
      if (after < 0) {
        a = next;
        break;
      }
      __threadfence();
      store(up_.data[a], after + 1);
      a = after;
    }
    if (a != from) __threadfence();
    return a;
  }

  ArrayView<int64_t> up_;
};

class union_find {
 public:
  using View = UnionFindView;

  explicit union_find(Launcher& c) : up_(c) {}
  View view() { return View(up_.view()); }
  void adopt(HostBase&, const View&) {}
  int64_t size() { return up_.size(); }
  void resize(int64_t wanted, int64_t place = 0) { up_.resize(wanted, place); }
  int64_t find(int64_t a, int64_t place = 0) {
    for (;;) {
      const int64_t next = up_.at(a, place) - 1;
      if (next < 0) return a;
      const int64_t after = up_.at(next) - 1;
      if (after < 0) return next;
      up_.at(a) = after + 1;
      a = after;
    }
  }
  bool same(int64_t a, int64_t b, int64_t place = 0) { return find(a, place) == find(b, place); }
  bool unite(HostBase&, int64_t a, int64_t b, int64_t place = 0) {
    const int64_t one = find(a, place), other = find(b, place);
    if (one == other) return false;
    up_.at(one < other ? other : one, place) = (one < other ? one : other) + 1;
    return true;
  }

 private:
  detail::Growable<int64_t> up_;
};

}  // namespace irgl
