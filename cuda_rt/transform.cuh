// Graphs made from graphs, as cpu_rt/transform.hpp makes them: on the host, with the host's arrays, and copied over.
//
//     irgl::OwnedGraph h = irgl::oriented(c, g)
// g: simple and undirected. Nodes are renumbered by decreasing degree (ties by id), each edge is kept once, from its
// end of higher new id to the lower: no node has more than sqrt(2 m) out-edges (Chiba and Nishizeki, 1985). Rows
// ascend. Loops are dropped. No in-edges. h.csr is the view that kernels take; it belongs to the context, like all that
// c.keep gives.
#pragma once
#include "context.cuh"

namespace irgl {

struct OwnedGraph {
  Csr csr;
};

namespace detail {
inline void sort_row(node_t* row, size_t count) {  // heap sort: in place, and no row is too long for it
  const auto sink = [row](size_t at, size_t end) {
    for (size_t child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && row[child] < row[child + 1]) ++child;
      if (!(row[at] < row[child])) return;
      const node_t x = row[at];
      row[at] = row[child], row[child] = x;
    }
  };
  for (size_t k = count / 2; k-- > 0;) sink(k, count);
  for (size_t end = count; end > 1;) {
    const node_t x = row[--end];
    row[end] = row[0], row[0] = x;
    sink(0, end);
  }
}
}  // namespace detail

inline OwnedGraph oriented(Graphs& c, const Csr& graph) {
  OwnedGraph h;
  const Csr& g = c.host(graph);
  const size_t n = size_t(g.n);
  edge_t top = 0;
  for (node_t v = 0; v < g.n; ++v) top = g.degree(v) > top ? g.degree(v) : top;
  node_t* start = static_cast<node_t*>(c.keep((size_t(top) + 2) * sizeof(node_t)));  // the first place of each degree
  node_t* rank = static_cast<node_t*>(c.keep(n * sizeof(node_t)));
  node_t* order = static_cast<node_t*>(c.keep(n * sizeof(node_t)));
  edge_t* row = static_cast<edge_t*>(c.keep((n + 1) * sizeof(edge_t)));
  if (c.failed()) return h;
  for (node_t v = 0; v < g.n; ++v) ++start[size_t(top - g.degree(v)) + 1];
  for (size_t d = 0; d <= size_t(top); ++d) start[d + 1] += start[d];
  for (node_t v = 0; v < g.n; ++v) order[rank[v] = start[size_t(top - g.degree(v))]++] = v;
  for (node_t u = 0; u < g.n; ++u) {
    row[u + 1] = row[u];
    for (edge_t e = g.row[order[u]]; e < g.row[order[u] + 1]; ++e) row[u + 1] += rank[g.cols[e]] < u;
  }
  node_t* cols = static_cast<node_t*>(c.keep(size_t(row[n]) * sizeof(node_t)));
  if (c.failed()) return h;
  for (node_t u = 0; u < g.n; ++u) {
    edge_t end = row[u];
    for (edge_t e = g.row[order[u]]; e < g.row[order[u] + 1]; ++e)
      if (rank[g.cols[e]] < u) cols[end++] = rank[g.cols[e]];
    detail::sort_row(cols + row[u], size_t(end - row[u]));
  }
  Csr made;
  made.n = g.n;
  made.m = row[n];
  made.row = row;
  made.cols = cols;
  c.place(h.csr, made);
  return h;
}

}  // namespace irgl
