// Ranges of nodes that know the edges of these: chunks of equal work, and memory that is asked for before its turn.
//
//     by_degree(F, R)         R's items are nodes, whose edges in a form the operator loops over
//     by_degree(F, R, P...)   the loop reads properties of edges, too, which lie at P: pointers by edge
//     even(F, R)              it walks the edges with a sequential For, and may leave it soon (ranges.hpp)
// Items of a list lie anywhere in the graph. While one runs, it is asked where the edges of the item 8 further on begin,
// and for the edges of the one 4 further on, whose place has come by then: for 128 of them, since a processor notices a
// stream only after some lines; for the first line alone on graphs of less than 8 edges a node, and of loops that may be
// left. A breadth-first search of a uniform random graph (2^20 nodes of 32 edges) takes half as long as by first lines
// alone. Items that stand close together in the graph are a stream, which a processor sees by itself.
#pragma once
#include <tuple>

#include "ranges.hpp"

namespace irgl {
namespace detail {

// What is read of edges by their numbers: their far ends, and properties of theirs.
template <class... P>
class Rowwise {
 public:
  Rowwise(const Rows& f, bool whole, const P*... beside)
      : row_(f.row), read_(f.cols, beside...), reach_(whole && f.m / (f.n + 1) >= per_line / 2 ? 8 * per_line : 0) {}
  IRGL_INLINE void fetch(node_t n) const {
    const edge_t begin = row_[n];
    fetch_at(begin);
    if (reach_ == 0) return;
    edge_t end = row_[n + 1];
    if (end - begin > reach_) end = begin + reach_;
    for (edge_t e = begin + per_line; e < end; e += per_line) fetch_at(e);
  }

 private:
  static constexpr edge_t per_line = 16;  // of four bytes
  IRGL_INLINE void fetch_at(edge_t e) const {
    std::apply([e](auto*... p) { (__builtin_prefetch(p + e), ...); }, read_);
  }
  const edge_t* row_;
  std::tuple<const node_t*, const P*...> read_;
  edge_t reach_;
};
}  // namespace detail

template <class R, bool giants, class... P>
struct ByDegree : R {
  static constexpr bool weighted = giants;
  const edge_t* row;
  size_t average;  // edges per node in the whole graph, the guess for a long list
  detail::Rowwise<P...> rows;
  ByDegree(const R& range, const Rows& f, const P*... beside)
      : R(range), row(f.row), average(f.n == 0 ? 1 : size_t(f.m / f.n) + 1), rows(f, giants, beside...) {}
  IRGL_INLINE size_t weight(typename R::item v) const { return size_t(row[v + 1] - row[v]); }
  size_t work(size_t limit) const {
    size_t sum = R::work(limit);
    if (sum > limit) return sum * average;
    R::visit(0, this->size(), [&](typename R::item v) { sum += weight(v); });
    return sum;
  }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    if constexpr (R::listed) R::visit_ahead(from, to, f, asking());
    else R::visit(from, to, f);
  }
  template <class F>
  IRGL_INLINE void drain(Thread& t, F& one, bool alone) const {
    auto ahead = asking();
    R::drain(t, one, alone, ahead);
  }

 private:
  auto asking() const {
    using Item = typename R::item;
    return [this, before = Item(-1)](Item far, Item near) mutable __attribute__((always_inline)) {
      __builtin_prefetch(row + far);
      if (uint64_t(near - before) > 8) rows.fetch(near);
      before = near;
    };
  }
};

// Nodes in a row: their edges stand in a row too, so chunk k starts at the first node v where (row[v] + v) passes k
// shares of the whole (Merrill and Garland, merge-path decomposition, SC 2016, at node granularity).
template <bool giants, class... P>
struct ByDegree<Interval<node_t>, giants, P...> : Interval<node_t> {
  using R = Interval<node_t>;
  static constexpr bool weighted = giants;
  const edge_t* row;
  ByDegree(const R& range, const Rows& f, const P*...) : R(range), row(f.row) {}
  IRGL_INLINE size_t weight(node_t v) const { return size_t(row[v + 1] - row[v]); }
  size_t total(node_t v) const { return size_t(row[v] - row[lo]) + size_t(v - lo); }
  size_t work(size_t) const { return total(hi); }
  size_t cut(size_t chunks, size_t k) const {
    if (k == 0 || k >= chunks) return k == 0 ? 0 : this->size();
    const size_t wanted = total(this->hi) * k / chunks;
    node_t a = this->lo, b = this->hi;
    while (a < b) {
      const node_t middle = a + (b - a) / 2;
      if (total(middle) < wanted) a = middle + 1;
      else b = middle;
    }
    return this->align(size_t(a - this->lo));
  }
};
template <class R, class... P>
IRGL_INLINE ByDegree<R, true, P...> by_degree(const Rows& f, const R& range, const P*... beside) {
  return {range, f, beside...};
}
template <class R>
IRGL_INLINE ByDegree<R, false> even(const Rows& f, const R& range) { return {range, f}; }

}  // namespace irgl
