// Work on the arrays of a graph that is being made, in parts: one for each thread.
#pragma once
#include <omp.h>
#include <sys/mman.h>

#include "../types.hpp"

namespace irgl {
namespace graphs {

constexpr int most_parts = 64;

// Memory that is given back at the end, in large pages where there is much of it; data is null where there was none to be had.
template <class T>
struct Memory {
  T* data = nullptr;
  explicit Memory(size_t count, bool zero = false) {
    constexpr size_t large = size_t(1) << 21;
    const size_t bytes = (count + 1) * sizeof(T);
    void* found = nullptr;
    if (posix_memalign(&found, bytes < large ? 64 : large, bytes) != 0) return;
    if (bytes >= large) madvise(found, bytes, MADV_HUGEPAGE);
    if (zero) memset(found, 0, bytes);
    data = static_cast<T*>(found);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { free(data); }
};

// A bit for each item, in words.
inline bool is_set(const uint64_t* bits, int64_t i) { return (bits[i >> 6] >> (i & 63) & 1) != 0; }

// How many threads so many items are worth.
inline int threads_for(int64_t items) {
  const int64_t worth = items / 16384 + 1, there = omp_get_max_threads();
  const int64_t found = worth < there ? worth : there;
  return int(found < most_parts ? found : most_parts);
}

// Where part k of so many begins.
inline int64_t begin_of(int64_t count, int parts, int k) { return int64_t((unsigned __int128)(count) * unsigned(k) / unsigned(parts)); }

// In how many parts arcs are counted: each has a counter of every node, and all of these take a quarter of the arcs' memory.
inline int parts_for(int64_t nodes, int64_t arcs) {
  const int64_t most = arcs / (4 * (nodes + 1)) + 1, threads = threads_for(arcs);
  return int(most < threads ? most : threads);
}

// counts: how many items of each node each part has (part k's begin at k * n). They become the place of the first of
// these items, and row where those of each node begin; items keep the order of the parts.
inline void to_places(int64_t n, int parts, edge_t* counts, edge_t* row) {
  edge_t begin[most_parts + 1] = {};
  const int blocks = threads_for(n * parts);
#pragma omp parallel for schedule(static, 1) num_threads(blocks)
  for (int b = 0; b < blocks; ++b) {
    edge_t sum = 0;
    for (int k = 0; k < parts; ++k)
      for (int64_t v = begin_of(n, blocks, b); v < begin_of(n, blocks, b + 1); ++v) sum += counts[k * n + v];
    begin[b + 1] = sum;
  }
  for (int b = 0; b < blocks; ++b) begin[b + 1] += begin[b];
#pragma omp parallel for schedule(static, 1) num_threads(blocks)
  for (int b = 0; b < blocks; ++b) {
    edge_t at = begin[b];
    for (int64_t v = begin_of(n, blocks, b); v < begin_of(n, blocks, b + 1); ++v) {
      row[v] = at;
      for (int k = 0; k < parts; ++k) {
        const edge_t count = counts[k * n + v];
        counts[k * n + v] = at;
        at += count;
      }
    }
  }
  row[n] = begin[blocks];
}

// The first node whose edges begin at e or behind.
inline int64_t node_at(int64_t n, const edge_t* row, int64_t e) {
  int64_t low = 0;
  for (int64_t high = n; low < high;) {
    const int64_t middle = low + (high - low) / 2;
    if (row[middle] < e) low = middle + 1;
    else high = middle;
  }
  return low;
}

}  // namespace graphs
}  // namespace irgl
