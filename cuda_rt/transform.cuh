// Graphs made from graphs, as cpu_rt/transform.hpp makes them: on the host, in the host's memory, and copied over.
//
//     irgl::OwnedGraph h = irgl::oriented(c, g)      h.old_edge[e] is the edge of g; oriented<true> also has in-edges
//     T* w = irgl::along(c, h, g.w)                  the values of h's edges, which have those of g
// g: simple and undirected. Nodes are renumbered by decreasing degree (ties by id), each edge is kept once, from its
// end of higher new id to the lower: no node has more than sqrt(2 m) out-edges (Chiba and Nishizeki, 1985). Rows
// ascend. Loops are dropped. h.csr is the view that kernels take; it belongs to the context, like all that
// c.keep gives.
#pragma once
#include "context.cuh"

namespace irgl {

struct OwnedGraph {
  Csr csr;
  const edge_t* old_edge = nullptr;  // of the host
};

namespace detail {
struct Numbered {  // a column and where it came from
  node_t col;
  edge_t edge;
  friend bool operator<(const Numbered& a, const Numbered& b) {
    return a.col < b.col || (a.col == b.col && a.edge < b.edge);
  }
};
inline void sort_row(Numbered* row, size_t count) {  // heap sort: in place, and no row is too long for it
  const auto sink = [row](size_t at, size_t end) {
    for (size_t child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && row[child] < row[child + 1]) ++child;
      if (!(row[at] < row[child])) return;
      const Numbered x = row[at];
      row[at] = row[child], row[child] = x;
    }
  };
  for (size_t k = count / 2; k-- > 0;) sink(k, count);
  for (size_t end = count; end > 1;) {
    const Numbered x = row[--end];
    row[end] = row[0], row[0] = x;
    sink(0, end);
  }
}
inline void add_transpose(Graphs& c, Csr& g) {  // in the host's memory; in-edges come by their source
  const size_t n = size_t(g.n), m = size_t(g.m);
  edge_t* row = static_cast<edge_t*>(c.keep((n + 1) * sizeof(edge_t)));
  edge_t* next = static_cast<edge_t*>(c.keep(n * sizeof(edge_t)));
  node_t* cols = static_cast<node_t*>(c.keep(m * sizeof(node_t)));
  edge_t* eid = static_cast<edge_t*>(c.keep(m * sizeof(edge_t)));
  if (c.failed()) return;
  for (edge_t e = 0; e < g.m; ++e) ++row[g.cols[e] + 1];
  for (size_t v = 0; v < n; ++v) next[v] = row[v], row[v + 1] += row[v];
  for (node_t v = 0; v < g.n; ++v)
    for (edge_t e = g.row[v]; e < g.row[v + 1]; ++e) {
      const edge_t p = next[g.cols[e]]++;
      cols[p] = v, eid[p] = e;
    }
  g.in_row = row, g.in_cols = cols, g.in_eid = eid;
}
}  // namespace detail

template <bool in_edges = false>
inline OwnedGraph oriented(Graphs& c, const Csr& graph) {
  OwnedGraph h;
  const Csr g = c.rows(graph);
  if (c.failed()) return h;
  const size_t n = size_t(g.n);
  edge_t top = 0;
  for (node_t v = 0; v < g.n; ++v) top = degree(g.out(), v) > top ? degree(g.out(), v) : top;
  node_t* start = static_cast<node_t*>(c.keep((size_t(top) + 2) * sizeof(node_t)));  // the first place of each degree
  node_t* rank = static_cast<node_t*>(c.keep(n * sizeof(node_t)));
  node_t* order = static_cast<node_t*>(c.keep(n * sizeof(node_t)));
  edge_t* row = static_cast<edge_t*>(c.keep((n + 1) * sizeof(edge_t)));
  if (c.failed()) return h;
  for (node_t v = 0; v < g.n; ++v) ++start[size_t(top - degree(g.out(), v)) + 1];
  for (size_t d = 0; d <= size_t(top); ++d) start[d + 1] += start[d];
  for (node_t v = 0; v < g.n; ++v) order[rank[v] = start[size_t(top - degree(g.out(), v))]++] = v;
  for (node_t u = 0; u < g.n; ++u) {
    row[u + 1] = row[u];
    for (edge_t e = g.row[order[u]]; e < g.row[order[u] + 1]; ++e) row[u + 1] += rank[g.cols[e]] < u;
  }
  node_t* cols = static_cast<node_t*>(c.keep(size_t(row[n]) * sizeof(node_t)));
  edge_t* old_edge = static_cast<edge_t*>(c.keep(size_t(row[n]) * sizeof(edge_t)));
  detail::Numbered* sorted = static_cast<detail::Numbered*>(c.keep((size_t(top) + 1) * sizeof(detail::Numbered)));
  if (c.failed()) return h;
  for (node_t u = 0; u < g.n; ++u) {
    size_t count = 0;
    for (edge_t e = g.row[order[u]]; e < g.row[order[u] + 1]; ++e)
      if (rank[g.cols[e]] < u) sorted[count++] = {rank[g.cols[e]], e};
    detail::sort_row(sorted, count);
    for (size_t k = 0; k < count; ++k)
      cols[row[u] + edge_t(k)] = sorted[k].col, old_edge[row[u] + edge_t(k)] = sorted[k].edge;
  }
  Csr made;
  made.n = g.n;
  made.m = row[n];
  made.row = row;
  made.cols = cols;
  if constexpr (in_edges) detail::add_transpose(c, made);
  if (c.failed()) return h;
  c.place(h.csr, made);
  h.old_edge = old_edge;
  return h;
}

template <class T>
T* along(Graphs& c, const OwnedGraph& h, const T* values) {
  const size_t m = size_t(h.csr.m);
  T* taken = static_cast<T*>(c.keep(m * sizeof(T)));
  if (c.failed()) return nullptr;
  for (size_t e = 0; e < m; ++e) c.read_element(values, h.old_edge[e], static_cast<void*>(taken + e));
  return c.weights<T>(taken, m);
}

}  // namespace irgl
