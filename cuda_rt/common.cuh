// What two nodes have in common, and the edge between two: the twin of cpu_rt/common.hpp. One thread searches alone.
//
//     common<W>(g, n, m, below)        how many nodes, less than `below` if given, both have edges to
//     common_nodes<W>(g, n, m, below)  these nodes, each once, ascending: for (node_t w : common_nodes(g, n, m))
//     edge_to(g, n, m)                 the first edge from n to m, or -1
//
// W says how two rows are gone through (intersect.cuh): Auto where nothing is said, Merge, Gallop or Binary.
#pragma once
#include "intersect.cuh"

namespace irgl {

template <class Way>
struct CommonNodes {
  struct End {};
  struct Iterator {
    const node_t *a, *a_end, *b, *b_end;
    IRGL_BOTH node_t operator*() const { return *a; }
    IRGL_BOTH bool operator!=(End) const { return a != a_end; }
    IRGL_BOTH Iterator& operator++() {
      const node_t x = *a;
      do ++a;  // parallel edges lead to one node
      while (a != a_end && *a == x);
      ++b;
      return meet(), *this;
    }
    IRGL_BOTH void meet() {
      while (a != a_end) {
        b = Way::from(b, b_end, *a);
        if (b == b_end) a = a_end;
        else if (*b == *a) return;
        else a = Way::from(a + 1, a_end, *b);
      }
    }
  };
  Iterator first;
  IRGL_BOTH Iterator begin() const { return first; }
  IRGL_BOTH End end() const { return {}; }
};

template <class Way = Auto>
IRGL_BOTH CommonNodes<Way> common_nodes(const Csr& g, node_t n, node_t m, node_t below = highest<node_t>()) {
  const Ends a = neighbors(g, n), b = neighbors(g, m);
  CommonNodes<Way> found{{a.begin, Binary::from(a.begin, a.end, below), b.begin, b.end}};
  found.first.meet();
  return found;
}

template <class Way = Auto>
IRGL_BOTH int32_t common(const Csr& g, node_t n, node_t m, node_t below = highest<node_t>()) {
  const Ends a = neighbors(g, n), b = neighbors(g, m);
  return a.size() <= b.size() ? Way::count(a, b, below) : Way::count(b, a, below);
}

IRGL_BOTH edge_t edge_to(const Csr& g, node_t n, node_t m) {
  edge_t low = g.row[n], high = g.row[n + 1];
  while (low < high) {
    const edge_t middle = low + (high - low) / 2;
    if (g.cols[middle] < m) low = middle + 1;
    else high = middle;
  }
  return low < g.row[n + 1] && g.cols[low] == m ? low : edge_t(-1);
}

}  // namespace irgl
