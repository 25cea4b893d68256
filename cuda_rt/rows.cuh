// csr: the edges of one direction, row by row, as a form: what cpu_rt/rows.hpp says, prefetch_row apart,
// on the device and on the host.
//
// Further: edges_at(F, places), the edges at places of a form as a range.
#pragma once
#include "ranges.cuh"

namespace irgl {

IRGL_BOTH edge_t degree(const Rows& f, node_t n) { return f.row[n + 1] - f.row[n]; }
IRGL_BOTH Interval<edge_t> edges(const Rows& f, node_t n) { return {f.row[n], f.row[n + 1]}; }
IRGL_BOTH Interval<edge_t> edges(const Rows& f, node_t n, edge_t from, edge_t to) {
  const edge_t d = degree(f, n);
  const edge_t lo = from < 0 ? 0 : from > d ? d : from;
  return {f.row[n] + lo, f.row[n] + (to < lo ? lo : to > d ? d : to)};
}
IRGL_BOTH node_t other(const Rows& f, edge_t e) { return f.cols[e]; }
IRGL_BOTH edge_t id(const Rows& f, edge_t e) { return f.eid != nullptr ? f.eid[e] : e; }
IRGL_BOTH node_t near(const Rows& f, edge_t e) {  // the last row that starts at or before it
  node_t lo = 0, hi = f.n;
  while (hi - lo > 1) {
    const node_t middle = lo + (hi - lo) / 2;
    if (f.row[middle] <= e) lo = middle;
    else hi = middle;
  }
  return lo;
}
IRGL_BOTH node_t source(const Csr& g, edge_t e) { return near(g.out(), e); }

struct EdgesAt : Interval<edge_t> {
  const edge_t* eid;
  IRGL_BOTH EdgesAt(const Rows& f, const Interval<edge_t>& places) : Interval<edge_t>(places), eid(f.eid) {}
  IRGL_DEVICE edge_t at(size_t p) const { return eid != nullptr ? eid[lo + edge_t(p)] : lo + edge_t(p); }
};
IRGL_BOTH EdgesAt edges_at(const Rows& f, const Interval<edge_t>& places) { return {f, places}; }

}  // namespace irgl
