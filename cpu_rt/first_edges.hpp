// Loops over all nodes that take a node's first edges by number, and leave the others.
//
//     irgl::first_edges<2>(F, R, g.p...)     R, nodes in a row, of each of which the operator takes 2 edges of a form, and
//                                            reads p... at their other ends
// The rows of a large graph are far apart, so that each node's first edge is a miss of the cache, and its other end
// another, which can't begin before. Both are asked for: the edges of the node 16 further on, and the other ends of the
// one 8 further on, whose edges have come by then. (On a uniform graph of 2^20 nodes with 32 edges, linking each with its
// first two neighbours takes 29 ms for 35.) Short rows stand in a stream, which a processor sees by itself.
#pragma once
#include <tuple>

#include "rows.hpp"

namespace irgl {
namespace detail {

template <int count, class R, class... P>
struct FirstEdges : R {
  Rows rows;
  std::tuple<const P*...> there;
  FirstEdges(const R& range, const Rows& f, const P*... p) : R(range), rows(f), there(p...) {}
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    if (rows.m / (rows.n + 1) < 8) return R::visit(from, to, f);
    R::visit(from, to, [&](node_t n) __attribute__((always_inline)) {
      ask(n);
      f(n);
    });
  }

 private:
  static constexpr node_t near = 8, far = 16;
  IRGL_INLINE void ask(node_t n) const {
    if (n >= rows.n - far) return;
    __builtin_prefetch(rows.cols + rows.row[n + far]);
    const edge_t e = rows.row[n + near];
    if (sizeof...(P) == 0 || e > rows.m - count) return;
    for (int k = 0; k < count; ++k) {
      const node_t end = rows.cols[e + k];
      std::apply([end](auto*... p) { (__builtin_prefetch(p + end), ...); }, there);
    }
  }
};
}  // namespace detail

template <int count, class R, class... P>
IRGL_INLINE detail::FirstEdges<count, R, P...> first_edges(const Rows& f, const R& range, const P*... there) {
  return {range, f, there...};
}
template <int count, class F, class R, class... P>
IRGL_INLINE R first_edges(const F&, const R& range, const P*...) { return range; }  // not in rows

}  // namespace irgl
