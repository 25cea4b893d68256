// csr: the edges of one direction, row by row, as a form. g.out() are a graph's out-edges, g.in() its in-edges.
//
// What every form offers, a place being where an edge stands in it:
//     edges(F, n)      the places of n's edges, a range
//     edges(F, n, i, j)    from the i-th up to the j-th of them
//     degree(F, n)     how many there are
//     other(F, e)      the node at the far end of the edge at a place
//     near(F, e)       the node whose edge it is: the row that holds the place. O(log n)
//     id(F, e)         the edge's number: its place among the out-edges in rows
//     prefetch_row(F, n)   where its edges stand will be asked for
// Generated code asks these alone.
#pragma once
#include "ranges.hpp"

namespace irgl {

IRGL_INLINE edge_t degree(const Rows& f, node_t n) { return f.row[n + 1] - f.row[n]; }
IRGL_INLINE Interval<edge_t> edges(const Rows& f, node_t n) { return {f.row[n], f.row[n + 1]}; }
IRGL_INLINE Interval<edge_t> edges(const Rows& f, node_t n, edge_t from, edge_t to) {
  const edge_t d = degree(f, n);
  const edge_t lo = from < 0 ? 0 : from > d ? d : from;
  return {f.row[n] + lo, f.row[n] + (to < lo ? lo : to > d ? d : to)};
}
IRGL_INLINE node_t other(const Rows& f, edge_t e) { return f.cols[e]; }
IRGL_INLINE edge_t id(const Rows& f, edge_t e) { return f.eid != nullptr ? f.eid[e] : e; }
IRGL_INLINE node_t near(const Rows& f, edge_t e) {  // the last row that starts at or before it
  node_t lo = 0, hi = f.n;
  while (hi - lo > 1) {
    const node_t middle = lo + (hi - lo) / 2;
    if (f.row[middle] <= e) lo = middle;
    else hi = middle;
  }
  return lo;
}
IRGL_INLINE void prefetch_row(const Rows& f, node_t n) { __builtin_prefetch(f.row + n); }

// The node that out-edge e leaves: looked up where all were (sources.hpp).
IRGL_INLINE node_t source(const Csr& g, edge_t e) { return g.sources != nullptr ? g.sources[e] : near(g.out(), e); }

}  // namespace irgl
