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
// way all but the first so many lack their other half; the others' bits are cleared. How many pairs there are.
inline int64_t match_opposites(const uint64_t* keys, int64_t count, uint64_t* lacks) {
  int64_t ups = 0;
  while (ups < count && !goes_down(keys[ups])) ++ups;
  const int64_t pairs = std::min(ups, count - ups);
  for (int64_t k = 0; k < pairs; ++k) clear(lacks, uint32_t(keys[k])), clear(lacks, uint32_t(keys[ups + k]));
  return pairs;
}

// The same for those of any weights.
inline int64_t match_each(uint64_t* keys, int64_t count, const Weights& weights, uint64_t* lacks) {
  if (weights.none() || count == 1) return match_opposites(keys, count, lacks);
  auto less = [&](uint64_t a, uint64_t b) { return weights.less(uint32_t(a), uint32_t(b)); };
  std::sort(keys, keys + count, [&](uint64_t a, uint64_t b) { return less(a, b) || (!less(b, a) && a < b); });
  int64_t pairs = 0;
  for (int64_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && !less(keys[begin], keys[end])) ++end;
    pairs += match_opposites(keys + begin, end - begin, lacks);
  }
  return pairs;
}

// Those of a node's keys come first whose higher node has arcs both ways: the others need not be sorted. How many these are.
// ups, downs: a bit of each node, none of them set, before and after.
inline int64_t both_ways_first(uint64_t* keys, int64_t count, uint64_t* ups, uint64_t* downs) {
  auto set = [](uint64_t* bits, uint64_t v) { bits[v >> 6] |= uint64_t(1) << (v & 63); };
  int64_t found = 0;
  for (int64_t k = 0; k < count; ++k)
    if (!goes_down(keys[k])) set(ups, keys[k] >> 33);
  for (int64_t k = 0; k < count; ++k)
    if (goes_down(keys[k]) && is_set(ups, int64_t(keys[k] >> 33))) set(downs, keys[k] >> 33);
  for (int64_t k = 0; k < count; ++k) ups[keys[k] >> 39] = 0;
  for (int64_t k = 0; k < count; ++k)
    if (is_set(downs, int64_t(keys[k] >> 33))) std::swap(keys[found++], keys[k]);
  for (int64_t k = 0; k < found; ++k) downs[keys[k] >> 39] = 0;
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
  const int threads = graphs::threads_for(all);
  const size_t words = size_t(n) / 64 + 1;
  const graphs::Memory<uint64_t> keys{size_t(all)}, seen(2 * words * size_t(threads), true);
  if (counts.data == nullptr || row.data == nullptr || keys.data == nullptr || seen.data == nullptr) return -1;
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
  int64_t pairs = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : pairs) num_threads(threads)
  for (int64_t v = 0; v < n; ++v) {
    uint64_t *begin = keys.data + row.data[v], *last = keys.data + row.data[v + 1];
    uint64_t* mine = seen.data + 2 * words * size_t(omp_get_thread_num());
    if (last - begin > 16) last = begin + graphs::both_ways_first(begin, last - begin, mine, mine + words);
    std::sort(begin, last);
    for (uint64_t* end = begin; begin < last; begin = end) {
      while (end < last && *end >> 33 == *begin >> 33) ++end;
      pairs += graphs::match_each(begin, end - begin, weights, lacks);
    }
  }
  return all - 2 * pairs;
}
