// What a ForAll runs over. A range knows its positions, how to visit a stretch of them, and how to cut itself up.
//
//     nodes(g)  nodes(g, lo, hi)  range(lo, hi)      node ids, integers: lo <= x < hi
//     edges(F, n)  edges(F, n, i, j)                 places of n's edges in a form, from the i-th up to the j-th (rows.hpp)
//     wl.items()                                     a worklist's items (worklist.hpp and its fellows)
//     by_degree(F, R) (by_degree.hpp)                R's items are nodes and the operator loops over their edges in a form:
//                                                    chunks of equal edges, giants deferred. Wrap an outermost range so
//                                                    when its operator holds such a loop.
//     even(F, R)                                     chunks of equal edges, but no giants: the operator walks the edges
//                                                    in a sequential For (with break, say), which cannot be shared
//     costly(R, k)                                   an item costs about k edges' work (an operator with a While, a
//                                                    cavity, an inner list): smaller chunks, sooner parallel
// The interface, for a new range: item (type); size(); visit(lo, hi, f) calls f(item) for positions lo <= p < hi;
// weighted (whether weight(item) exists); cost; work(limit): the work in edges, or anything above limit once it is
// known to exceed it; cut(chunks, k): the first position of chunk k, 0 at k = 0 and size() at k = chunks, never falling.
// Chunks of an interval begin at multiples of 64, so that whoever runs a chunk owns whole words of a bitmap over it.
#pragma once
#include "runtime.hpp"

namespace irgl {

struct Unweighted {
  static constexpr bool weighted = false;  // whether weight(item) exists and large items are to be put aside
  static constexpr bool fused = false;     // whether drain(t, f, alone) exists: items waiting in the thread's own list
  static constexpr bool ranked = false;    // whether in_order() and seed(t) exist: then one thread runs it, its items given there
  static constexpr bool indexed = false;   // whether at(p) exists: the item at a position
  static constexpr bool in_fours = false;  // whether visit_fours(f) exists: f(item, item, item, item), up to where it tells
  static constexpr bool listed = false;    // whether visit_ahead exists: visit, with a look at coming items
  static constexpr bool holed = false;     // whether some positions hold no item: then none() tells if all do
};
template <class R>
bool has_items(const R& range) {
  if constexpr (R::holed) return !range.none();
  else return range.size() != 0;
}
template <class R>
size_t present(const R& range) {  // how many items there are
  if constexpr (R::holed) {
    size_t sum = 0;
    range.visit(0, range.size(), [&](const auto&) { ++sum; });
    return sum;
  } else {
    return range.size();
  }
}
template <class R>
R noted(bool& items, const R& range) { return items = items || has_items(range), range; }

template <class I>
struct Interval : Unweighted {
  using item = I;
  I lo, hi;
  struct Iterator {  // for (edge_t e : irgl::edges(g, n)): the sequential For, with break and continue
    I at;
    IRGL_INLINE I operator*() const { return at; }
    IRGL_INLINE Iterator& operator++() { return ++at, *this; }
    IRGL_INLINE bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  IRGL_INLINE Iterator begin() const { return {lo}; }
  IRGL_INLINE Iterator end() const { return {hi}; }
  static constexpr bool indexed = true;
  IRGL_INLINE I at(size_t p) const { return I(lo + I(p)); }
  IRGL_INLINE Interval(I first, I last) : lo(first), hi(last < first ? first : last) {}
  IRGL_INLINE size_t size() const { return size_t(hi - lo); }
  size_t cost() const { return 1; }
  size_t work(size_t) const { return size(); }
  size_t cut(size_t chunks, size_t k) const {
    if (k == 0 || k >= chunks) return k == 0 ? 0 : size();
    return align(size() * k / chunks);
  }
  size_t align(size_t position) const {  // down to a multiple of 64 in ids, not before the start
    const size_t over = size_t(lo + I(position)) & 63;
    return position > over ? position - over : 0;
  }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    const I end = I(lo + I(to));
    for (I x = I(lo + I(from)); x < end; ++x) f(x);
  }
};

IRGL_INLINE Interval<node_t> nodes(const Csr& g) { return {0, g.n}; }
IRGL_INLINE Interval<node_t> nodes(const Csr& g, node_t lo, node_t hi) {
  return {lo < 0 ? 0 : lo, hi > g.n ? g.n : hi};
}
template <class I>
IRGL_INLINE Interval<I> range(I lo, same_t<I> hi) { return {lo, hi}; }

template <class R>
struct Costly : R {
  size_t each;
  Costly(const R& range, size_t cost) : R(range), each(cost == 0 ? 1 : cost) {}
  size_t cost() const { return each; }
  size_t work(size_t limit) const { return R::work(limit) * each; }
};
template <class R>
IRGL_INLINE Costly<R> costly(const R& range, size_t each) { return {range, each}; }

namespace detail {
// Items in a row, each with ahead(item 8 further on, item 4 further on) before; near the end the last item stands in.
template <class T, class F, class Ahead>
IRGL_INLINE void run_ahead(const T* p, const T* end, F&& f, Ahead&& ahead) {
  for (; p < end; ++p) {
    ahead(*(end - p > 8 ? p + 8 : end - 1), *(end - p > 4 ? p + 4 : end - 1));
    f(*p);
  }
}
}  // namespace detail

// The segments of a list, one per thread, seen as one sequence; start[i] items come before segment i.
template <class T>
struct Segments : Unweighted {
  using item = T;
  const Lane<T>* parts;
  const size_t* start;
  int count;
  IRGL_INLINE Segments(const Lane<T>* p, const size_t* s, int n) : parts(p), start(s), count(n) {}
  IRGL_INLINE size_t size() const { return start[count]; }
  size_t cost() const { return 1; }
  size_t work(size_t) const { return size(); }
  size_t cut(size_t chunks, size_t k) const { return size() * k / chunks; }
  static constexpr bool listed = true;
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    pieces(from, to, [&](const T* p, const T* end) __attribute__((always_inline)) {
      for (; p < end; ++p) f(*p);
    });
  }
  template <class F, class Ahead>
  IRGL_INLINE void visit_ahead(size_t from, size_t to, F&& f, Ahead&& ahead) const {
    pieces(from, to, [&](const T* p, const T* end) __attribute__((always_inline)) {
      detail::run_ahead(p, end, f, ahead);
    });
  }

 private:
  template <class F>
  IRGL_INLINE void pieces(size_t from, size_t to, F&& f) const {
    for (int i = 0; i < count; ++i) {
      if (start[i + 1] <= from) continue;
      if (start[i] >= to) break;
      const size_t end = to < start[i + 1] ? to : start[i + 1];
      f(parts[i].data + ((from > start[i] ? from : start[i]) - start[i]), parts[i].data + (end - start[i]));
    }
  }
};

}  // namespace irgl
