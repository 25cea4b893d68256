// What a ForAll runs over, the same names as cpu_rt/ranges.hpp. A range is a small value that both host and device
// hold.
//
// The interface, for a new range: item (type); size(): positions 0 <= p < size(); at(p): the item; holed: whether
// has(p) must be asked first; weighted: whether weight(item) exists, the number of edges its item's nested loop runs
// over.
#pragma once
#include "collective.cuh"

namespace irgl {

struct Unweighted {
  static constexpr bool weighted = false;
  static constexpr bool holed = false;
};

template <class I>
struct Interval : Unweighted {
  using item = I;
  I lo, hi;
  struct Iterator {  // the sequential For, with break and continue
    I value;
    IRGL_BOTH I operator*() const { return value; }
    IRGL_BOTH Iterator& operator++() { return ++value, *this; }
    IRGL_BOTH bool operator!=(const Iterator& other) const { return value != other.value; }
  };
  IRGL_BOTH Interval() : lo(0), hi(0) {}
  IRGL_BOTH Interval(I first, I last) : lo(first), hi(last < first ? first : last) {}
  IRGL_BOTH Iterator begin() const { return {lo}; }
  IRGL_BOTH Iterator end() const { return {hi}; }
  IRGL_BOTH size_t size() const { return size_t(hi - lo); }
  IRGL_BOTH I at(size_t p) const { return I(lo + I(p)); }
};
template <class I>
IRGL_BOTH Interval<I> single(I x) {
  return {x, I(x + 1)};
}

IRGL_BOTH Interval<node_t> nodes(const Csr& g) { return {0, g.n}; }
IRGL_BOTH Interval<node_t> nodes(const Csr& g, node_t lo, node_t hi) { return {lo < 0 ? 0 : lo, hi > g.n ? g.n : hi}; }
template <class I>
IRGL_BOTH Interval<I> range(I lo, same_t<I> hi) { return {lo, hi}; }
IRGL_BOTH Interval<edge_t> no_edges() { return {0, 0}; }
template <class I>
IRGL_BOTH Interval<I> skip(const Interval<I>& edges, int64_t k) {  // without the first k
  return {k <= 0 ? edges.lo : k < int64_t(edges.hi) - int64_t(edges.lo) ? I(edges.lo + I(k)) : edges.hi, edges.hi};
}
template <class I>
IRGL_BOTH Interval<I> when(const Interval<I>& edges, bool wanted) {  // all or none
  return {edges.lo, wanted ? edges.hi : edges.lo};
}
IRGL_DEVICE edge_t nth(const DeviceRuntime& c, const Interval<edge_t>& edges, int64_t k, int64_t place) {
  if (uint64_t(k) >= edges.size()) return c.fault(place | access_fault), edge_t(0);
  return edge_t(edges.lo + edge_t(k));
}

// Items that are nodes, weighted by the edges that they have in a form.
template <class R>
struct ByDegree : R {
  static constexpr bool weighted = true;
  const edge_t* row;
  size_t heaviest;
  IRGL_BOTH ByDegree(const R& range, const Rows& f) : R(range), row(f.row), heaviest(size_t(f.max_degree)) {}
  IRGL_DEVICE size_t weight(typename R::item v) const { return size_t(row[v + 1] - row[v]); }
};
template <class R>
IRGL_BOTH ByDegree<R> by_degree(const Rows& f, const R& range) { return {range, f}; }
template <class R>
IRGL_BOTH ByDegree<R> even(const Rows& f, const R& range) { return {range, f}; }
template <class R>
IRGL_BOTH const R& costly(const R& range, size_t) { return range; }

// The items of a list: those beyond the list's capacity lie in its spill.
template <class T>
struct ListItems : Unweighted {
  using item = T;
  const T* data;
  const T* spill;
  size_t capacity, count;
  IRGL_BOTH ListItems(const T* d, const T* s, size_t space, size_t n) : data(d), spill(s), capacity(space), count(n) {}
  IRGL_BOTH size_t size() const { return count; }
  IRGL_DEVICE T at(size_t p) const { return p < capacity ? data[p] : spill[p - capacity]; }
  struct Iterator {
    const ListItems* of;
    size_t place;
    IRGL_DEVICE T operator*() const { return of->at(place); }
    IRGL_DEVICE Iterator& operator++() { return ++place, *this; }
    IRGL_DEVICE bool operator!=(const Iterator& other) const { return place != other.place; }
  };
  IRGL_DEVICE Iterator begin() const { return {this, 0}; }
  IRGL_DEVICE Iterator end() const { return {this, count}; }
};

template <class R>
IRGL_DEVICE bool has_item(const R& range, size_t p) {
  if constexpr (R::holed) return range.has(p);
  else return true;
}
template <class R>
IRGL_BOTH size_t present(const R& range) {  // how many items there are
  if constexpr (R::holed) {
    size_t sum = 0;
    for (size_t p = 0; p < range.size(); ++p) sum += range.has(p);
    return sum;
  } else {
    return range.size();
  }
}

template <class R>
IRGL_DEVICE bool has_items(const R& range) {
  if constexpr (R::holed) {
    for (size_t p = 0; p < range.size(); ++p)
      if (range.has(p)) return true;
    return false;
  } else {
    return range.size() != 0;
  }
}

}  // namespace irgl
