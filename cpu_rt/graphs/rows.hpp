// From lists of arcs to rows, by a stable counting sort (D. Knuth, The Art of Computer Programming, volume 3, section 5.2),
// for irgl/rt/graphs/native/rows.py. Functions give -1 where they can't be of help.
#pragma once
#include "mirror.hpp"
#include "parts.hpp"
#include "weights.hpp"

namespace irgl {
namespace graphs {

template <class Weight>
void scatter(const node_t* src, const node_t* dst, const Weight* weight, const uint64_t* lacks, int64_t from, int64_t to,
             edge_t* at, node_t* cols, Weight* weights) {
  for (int64_t i = from; i < to; ++i) {
    const edge_t here = at[src[i]]++;
    cols[here] = dst[i];
    if (weight != nullptr) weights[here] = weight[i];
    if (lacks == nullptr || !is_set(lacks, i)) continue;
    const edge_t there = at[dst[i]]++;
    cols[there] = src[i];
    if (weight != nullptr) weights[there] = weight[i];
  }
}

}  // namespace graphs
}  // namespace irgl

// Arcs become rows, which keep their order. lacks: a bit of each arc: behind it stands its
// reverse, too; null: no reverses. bytes: of a
// weight, 0: none. How many arcs the rows have; -1: no memory, or an end is no node.
extern "C" int64_t irgl_place(int64_t n, int64_t m, const irgl::node_t* src, const irgl::node_t* dst, const void* weight,
                              int64_t bytes, const uint64_t* lacks, irgl::edge_t* row, irgl::node_t* cols, void* weights) {
  using namespace irgl;
  const int parts = graphs::parts_for(n, m);
  const graphs::Memory<edge_t> counts(size_t(parts) * size_t(n), true);
  if (counts.data == nullptr) return -1;
  int outside = 0;
#pragma omp parallel for schedule(static, 1) num_threads(parts) reduction(| : outside)
  for (int k = 0; k < parts; ++k) {
    edge_t* mine = counts.data + k * n;
    for (int64_t i = graphs::begin_of(m, parts, k); i < graphs::begin_of(m, parts, k + 1); ++i) {
      if (uint64_t(src[i]) >= uint64_t(n) || uint64_t(dst[i]) >= uint64_t(n)) {
        outside = 1;
        break;
      }
      ++mine[src[i]];
      if (lacks != nullptr) mine[dst[i]] += edge_t(graphs::is_set(lacks, i));
    }
  }
  if (outside != 0) return -1;
  graphs::to_places(n, parts, counts.data, row);
#pragma omp parallel for schedule(static, 1) num_threads(parts)
  for (int k = 0; k < parts; ++k) {
    const int64_t from = graphs::begin_of(m, parts, k), to = graphs::begin_of(m, parts, k + 1);
    edge_t* at = counts.data + k * n;
    if (bytes == 8)
      graphs::scatter(src, dst, static_cast<const uint64_t*>(weight), lacks, from, to, at, cols, static_cast<uint64_t*>(weights));
    else
      graphs::scatter(src, dst, static_cast<const uint32_t*>(bytes == 0 ? nullptr : weight), lacks, from, to, at, cols,
                      static_cast<uint32_t*>(weights));
  }
  return row[n];
}

// Row offsets of arcs whose sources ascend. 1; -1: they don't, or an end is no node.
extern "C" int64_t irgl_offsets(int64_t n, int64_t m, const irgl::node_t* src, const irgl::node_t* dst, irgl::edge_t* row) {
  using namespace irgl;
  const int parts = graphs::threads_for(m);
  int wrong = 0;
#pragma omp parallel for schedule(static, 1) num_threads(parts) reduction(| : wrong)
  for (int k = 0; k < parts; ++k)
    for (int64_t i = graphs::begin_of(m, parts, k); i < graphs::begin_of(m, parts, k + 1); ++i) {
      const int64_t last = i == 0 ? -1 : int64_t(src[i - 1]);
      if (src[i] < last || src[i] < 0 || src[i] >= n || dst[i] < 0 || dst[i] >= n) {
        wrong = 1;
        break;
      }
      for (int64_t v = last + 1; v <= src[i]; ++v) row[v] = edge_t(i);
    }
  if (wrong != 0) return -1;
  for (int64_t v = m == 0 ? 0 : int64_t(src[m - 1]) + 1; v <= n; ++v) row[v] = edge_t(m);
  return 1;
}

// Whether the far ends of every row ascend: 1 or 0.
extern "C" int64_t irgl_rows_ascend(int64_t n, const irgl::edge_t* row, const irgl::node_t* cols) {
  using namespace irgl;
  int falls = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(| : falls)
  for (int64_t v = 0; v < n; ++v)
    for (int64_t e = row[v] + 1; e < row[v + 1]; ++e)
      if (cols[e] < cols[e - 1]) {
        falls = 1;
        break;
      }
  return falls == 0;
}
