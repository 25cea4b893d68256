// Which arcs of a list lack their other half: what symmetric_closure of irgl/rt/graphs/build_csr.py adds.
#pragma once
#include <algorithm>

#include "parts.hpp"
#include "weights.hpp"

namespace irgl {
namespace graphs {

// An arc between a node and a higher one: the higher one, whether it goes down, and its number, so that sorting is by these.
inline uint64_t key_of(uint64_t high, bool down, uint64_t number) { return high << 33 | uint64_t(down) << 32 | number; }
inline bool goes_down(uint64_t key) { return (key >> 32 & 1) != 0; }

inline void clear(uint64_t* bits, int64_t i) { __atomic_and_fetch(bits + (i >> 6), ~(uint64_t(1) << (i & 63)), __ATOMIC_RELAXED); }

// Of the arcs between two nodes, all of one weight, in the order of their keys: with k of them one way and fewer the other
// way all but the first so many lack their other half; the others' bits are cleared. How many lack it.
inline int64_t mark(const uint64_t* keys, int64_t count, uint64_t* lacks) {
  int64_t ups = 0;
  while (ups < count && !goes_down(keys[ups])) ++ups;
  const int64_t downs = count - ups, pairs = ups < downs ? ups : downs;
  for (int64_t k = 0; k < pairs; ++k) clear(lacks, uint32_t(keys[k])), clear(lacks, uint32_t(keys[ups + k]));
  return count - 2 * pairs;
}

// The same for those of any weights.
inline int64_t mark_each(uint64_t* keys, int64_t count, const Weights& weights, uint64_t* lacks) {
  if (weights.none() || count == 1) return mark(keys, count, lacks);
  auto less = [&](uint64_t a, uint64_t b) { return weights.less(uint32_t(a), uint32_t(b)); };
  std::sort(keys, keys + count, [&](uint64_t a, uint64_t b) { return less(a, b) || (!less(b, a) && a < b); });
  int64_t found = 0;
  for (int64_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && !less(keys[begin], keys[end])) ++end;
    found += mark(keys + begin, end - begin, lacks);
  }
  return found;
}

// Sets the bit of each arc that is no self-loop. How many there are.
inline int64_t mark_all_but_loops(int64_t m, const node_t* src, const node_t* dst, uint64_t* lacks) {
  int64_t found = 0;
#pragma omp parallel for schedule(static) reduction(+ : found)
  for (int64_t w = 0; w < (m + 63) / 64; ++w) {
    uint64_t word = 0;
    for (int64_t i = 64 * w; i < std::min(64 * w + 64, m); ++i) word |= uint64_t(src[i] != dst[i]) << (i & 63);
    lacks[w] = word;
    found += __builtin_popcountll(word);
  }
  return found;
}

}  // namespace graphs
}  // namespace irgl

// lacks: a bit of each arc, in words. How many lack it; -1: ids or numbers of arcs don't fit, no memory, or an end is no node.
extern "C" int64_t irgl_without_mirror(int64_t n, int64_t m, const irgl::node_t* src, const irgl::node_t* dst,
                                       const void* weight, int64_t kind, uint64_t* lacks) {
  using namespace irgl;
  if (n >= int64_t(1) << 31 || m >= int64_t(1) << 32) return -1;
  int ways = 0;
#pragma omp parallel for schedule(static) reduction(| : ways)
  for (int64_t i = 0; i < m; ++i)
    ways |= (src[i] < dst[i]) | (src[i] > dst[i]) << 1 | (src[i] < 0 || src[i] >= n || dst[i] < 0 || dst[i] >= n) << 2;
  if ((ways & 4) != 0) return -1;
  const int64_t all = graphs::mark_all_but_loops(m, src, dst, lacks);
  if (ways != 3) return all;  // nothing is anything else's other half
  const int parts = graphs::parts_for(n, m);
  const graphs::Memory<edge_t> counts(size_t(parts) * size_t(n), true), row(size_t(n) + 1);
  const graphs::Memory<uint64_t> keys{size_t(all)};
  if (counts.data == nullptr || row.data == nullptr || keys.data == nullptr) return -1;
#pragma omp parallel for schedule(static, 1) num_threads(parts)
  for (int k = 0; k < parts; ++k)
    for (int64_t i = graphs::begin_of(m, parts, k); i < graphs::begin_of(m, parts, k + 1); ++i)
      if (src[i] != dst[i]) ++counts.data[k * n + std::min(src[i], dst[i])];
  graphs::to_places(n, parts, counts.data, row.data);
#pragma omp parallel for schedule(static, 1) num_threads(parts)
  for (int k = 0; k < parts; ++k)
    for (int64_t i = graphs::begin_of(m, parts, k); i < graphs::begin_of(m, parts, k + 1); ++i) {
      if (src[i] == dst[i]) continue;
      const bool down = src[i] > dst[i];
      const edge_t at = counts.data[k * n + (down ? dst[i] : src[i])]++;
      keys.data[at] = graphs::key_of(uint64_t(down ? src[i] : dst[i]), down, uint64_t(i));
    }
  const graphs::Weights weights{weight, kind};
  int64_t found = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : found)
  for (int64_t v = 0; v < n; ++v) {
    uint64_t *begin = keys.data + row.data[v], *last = keys.data + row.data[v + 1];
    std::sort(begin, last);
    for (uint64_t* end = begin; begin < last; begin = end) {
      while (end < last && *end >> 33 == *begin >> 33) ++end;
      found += graphs::mark_each(begin, end - begin, weights, lacks);
    }
  }
  return found;
}
