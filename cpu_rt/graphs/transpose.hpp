// The in-edges of rows, by counting sort, for irgl/rt/graphs/native/rows.py. Functions give -1 where they can't be of help.
#pragma once
#include <algorithm>

#include "parts.hpp"
#include "weights.hpp"

// in_edge: of each in-edge its number among the rows. In-edges of a node are in the order of these. Each may be null. 1; -1: no memory, or a far end is no node.
extern "C" int64_t irgl_transpose(int64_t n, int64_t m, const irgl::edge_t* row, const irgl::node_t* cols,
                                  irgl::edge_t* in_row, irgl::node_t* in_src, irgl::edge_t* in_edge) {
  using namespace irgl;
  const int parts = graphs::parts_for(n, m);
  const graphs::Memory<edge_t> counts(size_t(parts) * size_t(n), true), own(in_row == nullptr ? size_t(n) + 1 : 0);
  if (counts.data == nullptr || own.data == nullptr) return -1;
  auto first = [&](int k) { return k == parts ? n : graphs::node_at(n, row, graphs::begin_of(m, parts, k)); };
  int outside = 0;
#pragma omp parallel for schedule(static, 1) num_threads(parts) reduction(| : outside)
  for (int k = 0; k < parts; ++k) {
    edge_t* mine = counts.data + k * n;
    const int64_t last = row[first(k + 1)];
    for (int64_t e = row[first(k)]; e < last && outside == 0; ++e)
      if (uint64_t(cols[e]) < uint64_t(n)) ++mine[cols[e]];
      else outside = 1;
  }
  if (outside != 0) return -1;
  graphs::to_places(n, parts, counts.data, in_row == nullptr ? own.data : in_row);
#pragma omp parallel for schedule(static, 1) num_threads(parts)
  for (int k = 0; k < parts; ++k) {
    edge_t* at = counts.data + k * n;
    const int64_t last = first(k + 1);
    for (int64_t v = first(k); v < last; ++v)
      for (edge_t e = row[v]; e < row[v + 1]; ++e) {
        const edge_t place = at[cols[e]]++;
        if (in_src != nullptr) in_src[place] = node_t(v);
        if (in_edge != nullptr) in_edge[place] = e;
      }
  }
  return 1;
}

// Of each arc of symmetric rows its reverse: of parallel ones of one weight the k-th one way is that of the k-th the other
// way. back: irgl_transpose's in_edge, which is changed. 1; -1: no memory, ids are too wide, or rows are not symmetric.
extern "C" int64_t irgl_pair_arcs(int64_t n, int64_t m, const irgl::edge_t* row, const irgl::node_t* cols,
                                  const void* weight, int64_t kind, const irgl::edge_t* in_row, irgl::edge_t* back,
                                  irgl::edge_t* reverse) {
  using namespace irgl;
  const int threads = graphs::threads_for(m);
  int64_t longest = 0;
  for (int64_t v = 0; v < n; ++v) {
    if (in_row[v] != row[v]) return -1;
    longest = std::max(longest, int64_t(row[v + 1] - row[v]));
  }
  if (n >= int64_t(1) << 31 || longest >= int64_t(1) << 32) return -1;
  const graphs::Memory<uint64_t> keys(size_t(longest) * size_t(threads));
  if (keys.data == nullptr) return -1;
  const graphs::Weights weights{weight, kind};
  auto lighter = [&](edge_t a, edge_t b) { return weights.less(a, b) || (!weights.less(b, a) && a < b); };
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
  for (int64_t v = 0; v < n; ++v) {
    uint64_t* key = keys.data + int64_t(omp_get_thread_num()) * longest;
    const edge_t begin = row[v], count = row[v + 1] - begin;
    for (edge_t k = 0; k < count; ++k) key[k] = uint64_t(cols[begin + k]) << 32 | uint64_t(k);
    if (!std::is_sorted(key, key + count)) std::sort(key, key + count);
    edge_t* mine = back + begin;
    if (!weights.none())
      for (edge_t from = 0, to; from < count; from = to) {
        to = from + 1;
        while (to < count && key[to] >> 32 == key[from] >> 32) ++to;
        if (to == from + 1) continue;
        std::sort(key + from, key + to, [&](uint64_t a, uint64_t b) {
          return lighter(begin + edge_t(uint32_t(a)), begin + edge_t(uint32_t(b)));
        });
        std::sort(mine + from, mine + to, lighter);
      }
    for (edge_t k = 0; k < count; ++k) reverse[begin + edge_t(uint32_t(key[k]))] = mine[k];
  }
  return 1;
}
