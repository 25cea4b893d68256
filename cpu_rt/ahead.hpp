// ahead: the edges of a node, with a word on those to come, so that memory is on its way when an edge needs it.
//
//     inner.for_each(t, irgl::ahead<8>(g, irgl::edges(g.out(), n), [&](edge_t e) {
//         irgl::prefetch(g.level[irgl::other(g.out(), e)]);
//     }), ...
// At each edge `soon` is called with the edge 8 places further on. That may be another node's, which often comes next;
// it is never one beyond the graph's last. The columns themselves stand in a row, which the processor sees by itself.
// Why and how far: Mowry, Lam and Gupta, ASPLOS 1992.
#pragma once
#include "rows.hpp"

namespace irgl {

template <class T>
IRGL_INLINE void prefetch(const T& place) { __builtin_prefetch(&place, 0); }
template <class T>
IRGL_INLINE void prefetch_to_write(const T& place) { __builtin_prefetch(&place, 1); }

template <int distance, class F>
struct Ahead : Interval<edge_t> {
  F soon;
  edge_t end;  // from here on nothing is so far ahead
  IRGL_INLINE Ahead(const Csr& g, const Interval<edge_t>& edges, const F& f)
      : Interval<edge_t>(edges), soon(f), end(g.m - distance) {}
  IRGL_INLINE edge_t at(size_t p) const { return look(lo + edge_t(p)); }
  template <class V>
  IRGL_INLINE void visit(size_t from, size_t to, V&& f) const {
    const edge_t last = lo + edge_t(to);
    for (edge_t e = lo + edge_t(from); e < last; ++e) f(look(e));
  }

 private:
  IRGL_INLINE edge_t look(edge_t e) const {
    if (e < end) soon(edge_t(e + distance));
    return e;
  }
};

template <int distance, class F>
IRGL_INLINE Ahead<distance, F> ahead(const Csr& g, const Interval<edge_t>& edges, const F& soon) {
  return {g, edges, soon};
}

}  // namespace irgl
