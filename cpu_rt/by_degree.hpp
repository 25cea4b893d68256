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

// Asks for the edges in rows: what is read of them by their numbers are their far ends, and properties.
template <class... P>
class AskRows {
 public:
  AskRows(const Rows& f, bool whole, const P*... beside)
      : row_(f.row), read_(f.cols, beside...), reach_(whole && f.m / (f.n + 1) >= per_line / 2 ? 8 * per_line : 0) {}
  IRGL_INLINE void operator()(node_t far, node_t near) {
    __builtin_prefetch(row_ + far);
    if (uint64_t(near - before_) > 8) fetch(near);
    before_ = near;
  }

 private:
  static constexpr edge_t per_line = 16;  // of four bytes
  IRGL_INLINE void fetch(node_t n) const {
    const edge_t begin = row_[n];
    fetch_at(begin);
    if (reach_ == 0) return;
    edge_t end = row_[n + 1];
    if (end - begin > reach_) end = begin + reach_;
    for (edge_t e = begin + per_line; e < end; e += per_line) fetch_at(e);
  }
  IRGL_INLINE void fetch_at(edge_t e) const {
    std::apply([e](auto*... p) { (__builtin_prefetch(p + e), ...); }, read_);
  }
  const edge_t* row_;
  std::tuple<const node_t*, const P*...> read_;
  edge_t reach_;
  node_t before_ = -1;
};

// Asks as Asked does, and tells which items of a list have few edges: all, where nodes have few on average.
template <class Asked>
struct Weighing {
  static constexpr size_t per_item = 16;  // edges that a limit of items stands for
  Asked ask;
  const edge_t* row;
  size_t average;
  IRGL_INLINE void operator()(node_t far, node_t near) { ask(far, near); }
  IRGL_INLINE bool few(const node_t* items, size_t size, size_t limit) const {
    if (average <= per_item / 2) return true;
    size_t sum = 0;
    for (size_t i = 0; i < size; ++i) sum += size_t(row[items[i] + 1] - row[items[i]]);
    return sum / per_item < limit;
  }
};
}  // namespace detail

// Asked: asks for the edges of an item that comes later, as `ahead` of visit_ahead (ranges.hpp); each stretch has its own.
template <class R, bool giants, class Asked>
struct ByDegree : R {
  static constexpr bool weighted = giants;
  const edge_t* row;
  size_t average;  // edges per node in the whole graph, the guess for a long list
  Asked asked;
  ByDegree(const R& range, const Rows& f, const Asked& ask)
      : R(range), row(f.row), average(f.n == 0 ? 1 : size_t(f.m / f.n) + 1), asked(ask) {}
  IRGL_INLINE size_t weight(typename R::item v) const { return size_t(row[v + 1] - row[v]); }
  size_t work(size_t limit) const {
    size_t sum = R::work(limit);
    if (sum > limit) return sum * average;
    R::visit(0, this->size(), [&](typename R::item v) { sum += weight(v); });
    return sum;
  }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    if constexpr (R::listed) R::visit_ahead(from, to, f, Asked(asked));
    else R::visit(from, to, f);
  }
  template <class F>
  IRGL_INLINE void drain(Thread& t, F& one, bool alone) const {
    detail::Weighing<Asked> ahead{asked, row, average};
    R::drain(t, one, alone, ahead);
  }
};

// Nodes in a row: their edges stand in a row too, so chunk k starts at the first node v where (row[v] + v) passes k
// shares of the whole (Merrill and Garland, merge-path decomposition, SC 2016, at node granularity).
template <bool giants, class Asked>
struct ByDegree<Interval<node_t>, giants, Asked> : Interval<node_t> {
  using R = Interval<node_t>;
  static constexpr bool weighted = giants;
  const edge_t* row;
  ByDegree(const R& range, const Rows& f, const Asked&) : R(range), row(f.row) {}
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
IRGL_INLINE ByDegree<R, true, detail::AskRows<P...>> by_degree(const Rows& f, const R& range, const P*... beside) {
  return {range, f, {f, true, beside...}};
}
template <class R>
IRGL_INLINE ByDegree<R, false, detail::AskRows<>> even(const Rows& f, const R& range) {
  return {range, f, {f, false}};
}

}  // namespace irgl
