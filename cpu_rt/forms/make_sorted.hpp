// Rows in ascending order, for forms that code gaps (irgl/forms/coded.py).
#pragma once
#include <algorithm>
#include <vector>

#include "../types.hpp"

// The least gap of any row: 0, 1 (for more than 1, too), or -1 where some row isn't in ascending order.
extern "C" int64_t irgl_least_gap(int64_t n, const irgl::edge_t* row, const irgl::node_t* cols) {
  int least = 1;
#pragma omp parallel for schedule(dynamic, 4096) reduction(min : least)
  for (int64_t v = 0; v < n; ++v)
    for (irgl::edge_t e = row[v] + 1; e < row[v + 1]; ++e) {
      const int gap = cols[e] > cols[e - 1] ? 1 : cols[e] == cols[e - 1] ? 0 : -1;
      least = gap < least ? gap : least;
    }
  return least;
}

// Each row in ascending order, stable: `edge` gets the places where its ends stood. Ids have 31 bits, places in a row 32.
extern "C" void irgl_sort_rows(int64_t n, const irgl::edge_t* row, const irgl::node_t* cols, irgl::node_t* far,
                               irgl::edge_t* edge) {
#pragma omp parallel
  {
    std::vector<uint64_t> keys;
#pragma omp for schedule(dynamic, 4096)
    for (int64_t v = 0; v < n; ++v) {
      const irgl::edge_t begin = row[v], count = row[v + 1] - begin;
      keys.resize(size_t(count));
      for (irgl::edge_t i = 0; i < count; ++i) keys[size_t(i)] = uint64_t(cols[begin + i]) << 32 | uint64_t(i);
      std::sort(keys.begin(), keys.end());
      for (irgl::edge_t i = 0; i < count; ++i) {
        far[begin + i] = irgl::node_t(keys[size_t(i)] >> 32);
        edge[begin + i] = begin + irgl::edge_t(keys[size_t(i)] & 0xffffffffu);
      }
    }
  }
}
