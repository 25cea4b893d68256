// set<T>: a list without duplicates over 0 <= item < universe: what the first push claims is a byte per item, a bit
// (set<T, by_bit>) or the number of the round (set<T, by_round>, where clear() leaves the items alone: stamps.hpp).
// The interface is worklist.hpp's, with contains(x). claim(t, x) is push that tells whether x was new. push_own(t, x), and
// push_of<false>: nobody else puts x there meanwhile, so that it takes no atomic but where others have bits of the word
// (by_bit). push_of<shared> is for a loop below the iteration.
// items(): the list in order of arrival while it is short; when it holds more than 1/16 of the universe the claims are
// walked instead, in order of ids, which reads the graph from front to back. clear() undoes the claims one by one while
// that is cheaper than clearing all.
#pragma once
#include "stamps.hpp"

namespace irgl {

struct by_byte {
  template <class T>
  using Claims = bytemap<T>;
  static constexpr bool cleared_at_once = false;
};
struct by_bit {
  template <class T>
  using Claims = bitmap<T>;
  static constexpr bool cleared_at_once = false;
};
template <class Round>
struct by_round_of {
  template <class T>
  using Claims = stamps<T, Round>;
  static constexpr bool cleared_at_once = true;
};
using by_round = by_round_of<uint32_t>;

template <class T, class How = by_byte>
class set {
 public:
  using item = T;
  using Claims = typename How::template Claims<T>;
  set(Runtime& c, size_t universe) : universe_(universe), list_(c), claimed_(c, universe) {}

  IRGL_INLINE bool claim(Thread& t, T x) {
    if (!claimed_.claim(t, x)) return false;
    list_.push(t, x);
    return true;
  }
  IRGL_INLINE void push(Thread& t, T x) { claim(t, x); }
  IRGL_INLINE void push_own(Thread& t, T x) {
    if (claimed_.claim_own(t, x)) list_.push(t, x);
  }
  template <bool shared>
  IRGL_INLINE void push_of(Thread& t, T x) {
    if constexpr (shared) push(t, x);
    else push_own(t, x);
  }
  IRGL_INLINE bool contains(T x) const { return claimed_.contains(x); }

  struct Items : Unweighted {
    using item = T;
    Segments<T> sparse;
    typename Claims::Items dense;
    bool is_dense;
    Items(const Segments<T>& s, const typename Claims::Items& d, bool walk)
        : sparse(s), dense(d), is_dense(walk) {}
    size_t size() const { return is_dense ? dense.size() : sparse.size(); }
    size_t cost() const { return is_dense ? dense.cost() : sparse.cost(); }
    size_t work(size_t) const { return sparse.size(); }
    size_t cut(size_t chunks, size_t k) const { return is_dense ? dense.cut(chunks, k) : sparse.cut(chunks, k); }
    template <class F>
    IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
      if (is_dense) dense.visit(from, to, [&](T x) { f(x); });
      else sparse.visit(from, to, [&](T x) { f(x); });
    }
  };
  Items items() {
    const Segments<T> sparse = list_.items();
    return Items(sparse, claimed_.items(), sparse.size() > universe_ / 16 && sparse.size() > 1024);
  }
  size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  void clear() {
    if (How::cleared_at_once || list_.size() > universe_ / 64) {
      claimed_.clear();
    } else if constexpr (!How::cleared_at_once) {
      for_each(list_.runtime(), list_.items(), [this](Thread&, auto&, T x) { claimed_.forget(x); });
    }
    list_.clear();
  }
  void swap(set& other) {
    list_.swap(other.list_);
    claimed_.swap(other.claimed_);
    size_t u = universe_; universe_ = other.universe_; other.universe_ = u;
  }
  template <class W>
  void update(W& other) { update_from(list_.runtime(), other.items()); }
  template <class R>
  void update_from(Runtime& c, const R& range) {
    for_each(c, range, [this](Thread& t, auto&, T x) {
      if (x >= 0) push(t, x);
    });
  }

 private:
  size_t universe_;
  list<T> list_;
  Claims claimed_;
};

}  // namespace irgl
