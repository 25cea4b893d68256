// Graphs made from graphs. Each result owns its arrays; .csr is the view that kernels take.
//
//     irgl::OwnedGraph h = irgl::oriented(c, g)            g: simple and undirected (both directions stored)
//         Nodes renumbered by decreasing degree (ties by id), each edge kept once, from its end of higher new id (lower
//         degree) to the lower: a DAG in which no node has more than sqrt(2 m) out-edges (Chiba and Nishizeki, 1985;
//         the GAP benchmark's triangle count). Rows ascend, loops are dropped. oriented<true> also gives h.old_edge[e].
//     irgl::OwnedGraph h = irgl::relabel(c, g, order)      order[new] == old, a permutation of the nodes
//         Every edge kept; rows ascend; h.old_edge[e] is the edge of g.
//     irgl::OwnedGraph t = irgl::add_transpose(c, h.csr)   in_row, in_cols and in_eid of h.csr, which t owns
//     irgl::Array<node_t> order = irgl::degree_order(c, g) decreasing degree, ties by id
// h.old_id[new] == old and h.new_id[old] == new. O(n + m log d) time, by all threads; 2 m + 4 n words of space.
#pragma once
#include "worklist.hpp"

namespace irgl {

struct OwnedGraph {
  Csr csr;
  Array<edge_t> row;
  Array<node_t> cols;
  Array<edge_t> old_edge;
  Array<node_t> old_id, new_id;
};

namespace detail {
// Sort a short or long run by merging runs of 16; spare is as long as the data. Stable.
template <class T>
inline void merge_sort(T* data, T* spare, size_t count) {
  for (size_t lo = 0; lo < count; lo += 16) {
    const size_t hi = lo + 16 < count ? lo + 16 : count;
    for (size_t i = lo + 1; i < hi; ++i) {
      const T x = data[i];
      size_t j = i;
      for (; j > lo && x < data[j - 1]; --j) data[j] = data[j - 1];
      data[j] = x;
    }
  }
  T* from = data;
  T* to = spare;
  for (size_t width = 16; width < count; width *= 2) {
    for (size_t lo = 0; lo < count; lo += 2 * width) {
      const size_t middle = lo + width < count ? lo + width : count;
      const size_t hi = middle + width < count ? middle + width : count;
      size_t a = lo, b = middle;
      for (size_t k = lo; k < hi; ++k) to[k] = b >= hi || (a < middle && !(from[b] < from[a])) ? from[a++] : from[b++];
    }
    T* s = from; from = to; to = s;
  }
  if (from != data) memcpy(static_cast<void*>(data), from, count * sizeof(T));
}

struct Numbered {  // a column and where it came from
  node_t col;
  edge_t edge;
  friend bool operator<(const Numbered& a, const Numbered& b) {
    return a.col < b.col || (a.col == b.col && a.edge < b.edge);
  }
};
inline void prefix_sum(edge_t* row, size_t n) {  // row[i + 1] holds the length of row i; row[0] == 0
  for (size_t i = 0; i < n; ++i) row[i + 1] += row[i];
}
}  // namespace detail

inline Array<node_t> degree_order(Runtime& c, const Csr& g) {
  const size_t n = size_t(g.n);
  edge_t top = 0;
  for_each(c, nodes(g), max_of(top), [=](Thread&, auto&, node_t v, edge_t& acc) { plain_max(acc, degree(g.out(), v)); });
  Array<node_t> start(size_t(top) + 2, true);  // start[d]: first place of degree top - d
  for (node_t v = 0; v < g.n; ++v) ++start[size_t(top - degree(g.out(), v)) + 1];
  for (size_t d = 0; d <= size_t(top); ++d) start[d + 1] += start[d];
  Array<node_t> order(n);
  for (node_t v = 0; v < g.n; ++v) order[size_t(start[size_t(top - degree(g.out(), v))]++)] = v;
  return order;
}

template <bool numbered = false>
inline OwnedGraph oriented(Runtime& c, const Csr& g) {
  using Item = std::conditional_t<numbered, detail::Numbered, node_t>;
  const size_t n = size_t(g.n);
  OwnedGraph h;
  c.forget_rows();  // where another such graph was
  h.old_id = degree_order(c, g);
  h.new_id = Array<node_t>(n);
  h.row = Array<edge_t>(n + 1, true);
  edge_t* row = h.row.data();
  node_t* rank = h.new_id.data();
  const node_t* order = h.old_id.data();
  for_each(c, nodes(g), [=](Thread&, auto&, node_t u) { rank[order[u]] = u; });
  // One pass filters each row into its old place and sorts it there while it is in the cache; a second packs the rows.
  Array<Item> kept(size_t(g.m));
  Array<Item> spare(size_t(g.m));
  Item* to = kept.data();
  Item* free_space = spare.data();
  for_each(c, even(g.out(), nodes(g)), [=](Thread&, auto&, node_t v) {
    const node_t mine = rank[v];
    const edge_t begin = g.row[v];
    edge_t end = begin;
    for (edge_t e = begin; e < g.row[v + 1]; ++e) {
      const node_t other = rank[g.cols[e]];
      if constexpr (numbered) to[end] = {other, e};
      else to[end] = other;
      end += other < mine;
    }
    detail::merge_sort(to + begin, free_space + begin, size_t(end - begin));
    row[mine + 1] = end - begin;
  });
  detail::prefix_sum(row, n);
  h.cols = Array<node_t>(size_t(row[n]));
  node_t* cols = h.cols.data();
  h.csr.n = g.n, h.csr.m = row[n];
  h.csr.row = row;
  h.csr.cols = cols;
  if constexpr (numbered) h.old_edge = Array<edge_t>(size_t(row[n]));
  [[maybe_unused]] edge_t* old_edge = h.old_edge.data();
  for_each(c, even(h.csr.out(), nodes(h.csr)), [=](Thread&, auto&, node_t u) {
    const Item* from = to + g.row[order[u]];
    if constexpr (numbered) {
      for (edge_t e = row[u]; e < row[u + 1]; ++e, ++from) cols[e] = from->col, old_edge[e] = from->edge;
    } else {
      memcpy(cols + row[u], from, size_t(row[u + 1] - row[u]) * sizeof(node_t));
    }
  });
  return h;
}

inline OwnedGraph relabel(Runtime& c, const Csr& g, Array<node_t> order_array) {
  const size_t n = size_t(g.n);
  OwnedGraph h;
  h.old_id = std::move(order_array);
  h.new_id = Array<node_t>(n);
  h.row = Array<edge_t>(n + 1, true);
  h.cols = Array<node_t>(size_t(g.m));
  h.old_edge = Array<edge_t>(size_t(g.m));
  edge_t* row = h.row.data();
  edge_t* old_edge = h.old_edge.data();
  node_t* cols = h.cols.data();
  node_t* rank = h.new_id.data();
  const node_t* order = h.old_id.data();
  for_each(c, nodes(g), [=](Thread&, auto&, node_t u) {
    rank[order[u]] = u;
    row[u + 1] = degree(g.out(), order[u]);
  });
  detail::prefix_sum(row, n);
  h.csr.n = g.n;
  h.csr.m = g.m;
  h.csr.row = row;
  h.csr.cols = cols;
  list<detail::Numbered> scratch(c);
  for_each(c, even(h.csr.out(), nodes(h.csr)), [=, &scratch](Thread& t, auto&, node_t u) {
    const edge_t first = g.row[order[u]];
    const size_t count = size_t(row[u + 1] - row[u]);
    Segment<detail::Numbered>& mine = scratch.part(t.id);
    mine.size = 0;
    detail::Numbered* items = mine.reserve(*t.rt, 2 * count);
    for (size_t k = 0; k < count; ++k) items[k] = {rank[g.cols[first + edge_t(k)]], first + edge_t(k)};
    detail::merge_sort(items, items + count, count);
    for (size_t k = 0; k < count; ++k) cols[row[u] + edge_t(k)] = items[k].col, old_edge[row[u] + edge_t(k)] = items[k].edge;
  });
  return h;
}

// With g's in-edges as out-edges. Count, sum up, scatter by atomic positions; sorted rows are the same in every run.
inline OwnedGraph transpose(Runtime& c, const Csr& g) {
  const size_t n = size_t(g.n);
  OwnedGraph h;
  h.row = Array<edge_t>(n + 1, true);
  h.cols = Array<node_t>(size_t(g.m));
  h.old_edge = Array<edge_t>(size_t(g.m));
  Array<edge_t> next(n + 1, true);
  Array<detail::Numbered> items(2 * size_t(g.m));
  edge_t* row = h.row.data();
  edge_t* at = next.data();
  edge_t* old_edge = h.old_edge.data();
  node_t* cols = h.cols.data();
  detail::Numbered* item = items.data();
  detail::Numbered* spare = items.data() + g.m;
  for_each(c, range<edge_t>(0, g.m), [=](Thread&, auto&, edge_t e) { atomic_add(row[g.cols[e] + 1], 1); });
  detail::prefix_sum(row, n);
  memcpy(at, row, n * sizeof(edge_t));
  for_each(c, even(g.out(), nodes(g)), [=](Thread&, auto&, node_t v) {
    for (edge_t e : edges(g.out(), v)) item[atomic_add(at[g.cols[e]], 1).old] = {v, e};
  });
  h.csr.n = g.n;
  h.csr.m = g.m;
  h.csr.row = row;
  h.csr.cols = cols;
  const Csr view = h.csr;
  for_each(c, even(view.out(), nodes(view)), [=](Thread&, auto&, node_t v) {
    detail::merge_sort(item + row[v], spare + row[v], size_t(row[v + 1] - row[v]));
    for (edge_t e : edges(view.out(), v)) cols[e] = item[e].col, old_edge[e] = item[e].edge;
  });
  return h;
}
inline OwnedGraph add_transpose(Runtime& c, Csr& g) {
  OwnedGraph t = transpose(c, g);
  g.in_row = t.csr.row, g.in_cols = t.csr.cols, g.in_eid = t.old_edge.data();
  return t;
}

}  // namespace irgl
