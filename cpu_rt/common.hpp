// What two nodes have in common, and the edge between two: searches in rows that ascend.
//
//     common(g, n, m)        how many distinct nodes both n and m have edges to
//     common_nodes(g, n, m)  these nodes, each once, ascending: for (node_t w : common_nodes(g, n, m))
//     edge_to(g, n, m)       the first edge from n to m, or -1
//
// Of two rows each is searched for the other's next node in steps that double (J. Bentley and A. Yao, An almost optimal
// algorithm for unbounded searching, 1976; E. Demaine, A. Lopez-Ortiz and J. Munro, Adaptive set intersections, 2000):
// O(a + b) for rows of a and b edges, O(a log b) where b is far longer.
#pragma once
#include "types.hpp"

namespace irgl {

// The first place from p on that holds x or more; end: there is none.
IRGL_INLINE const node_t* first_from(const node_t* p, const node_t* end, node_t x) {
  if (p == end || *p >= x) return p;
  ptrdiff_t step = 1;
  while (step < end - p && p[step] < x) {
    p += step;
    step *= 2;
  }
  const node_t* high = step < end - p ? p + step : end;  // *p < x, and behind `high` nothing is less
  while (high - p > 1) {
    const node_t* middle = p + (high - p) / 2;
    if (*middle < x) p = middle;
    else high = middle;
  }
  return high;
}

struct CommonNodes {
  struct End {};
  struct Iterator {
    const node_t *a, *a_end, *b, *b_end;
    IRGL_INLINE node_t operator*() const { return *a; }
    IRGL_INLINE bool operator!=(End) const { return a != a_end; }
    IRGL_INLINE Iterator& operator++() {
      const node_t x = *a;
      do ++a;  // parallel edges lead to one node
      while (a != a_end && *a == x);
      ++b;
      return meet(), *this;
    }
    IRGL_INLINE void meet() {
      while (a != a_end) {
        b = first_from(b, b_end, *a);
        if (b == b_end) a = a_end;
        else if (*b == *a) return;
        else a = first_from(a + 1, a_end, *b);
      }
    }
  };
  Iterator first;
  IRGL_INLINE Iterator begin() const { return first; }
  IRGL_INLINE End end() const { return {}; }
};

IRGL_INLINE CommonNodes common_nodes(const Csr& g, node_t n, node_t m) {
  CommonNodes found{{g.cols + g.row[n], g.cols + g.row[n + 1], g.cols + g.row[m], g.cols + g.row[m + 1]}};
  found.first.meet();
  return found;
}

IRGL_INLINE int32_t common(const Csr& g, node_t n, node_t m) {
  int32_t count = 0;
  for ([[maybe_unused]] const node_t w : common_nodes(g, n, m)) ++count;
  return count;
}

IRGL_INLINE edge_t edge_to(const Csr& g, node_t n, node_t m) {
  edge_t low = g.row[n], high = g.row[n + 1];
  while (low < high) {
    const edge_t middle = low + (high - low) / 2;
    if (g.cols[middle] < m) low = middle + 1;
    else high = middle;
  }
  return low < g.row[n + 1] && g.cols[low] == m ? low : edge_t(-1);
}

}  // namespace irgl
