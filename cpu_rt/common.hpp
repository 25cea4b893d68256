// What two nodes have in common, and the edge between two: searches in rows that ascend.
//
//     common<W>(g, n, m, below)        how many nodes, less than `below` if given, both have edges to
//     common<W>(t, g, n, m, below)     the same, where thread t may mark a row: W is Auto or Hash
//     common_nodes<W>(g, n, m, below)  these nodes, each once, ascending: for (node_t w : common_nodes(g, n, m))
//     edge_to(g, n, m)                 the first edge from n to m, or -1
//
// W says how two rows are gone through (intersect.hpp): Auto where nothing is said, Merge, Gallop or Binary. Hash marks
// the row of one of two nodes, looks up the other's, and leaves it marked until the thread is asked of others: so one
// node of a edges and k others of b cost O(a + k b) (M. Latapy, Main-memory triangle computations for very large
// (sparse (power-law)) graphs, 2008). It marks the row that was asked of the time before. So does Auto, unless the row
// is short or the other one far longer.
#pragma once
#include <utility>

#include "intersect.hpp"
#include "runtime.hpp"

namespace irgl {

template <class Way>
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
        b = Way::from(b, b_end, *a);
        if (b == b_end) a = a_end;
        else if (*b == *a) return;
        else a = Way::from(a + 1, a_end, *b);
      }
    }
  };
  Iterator first;
  IRGL_INLINE Iterator begin() const { return first; }
  IRGL_INLINE End end() const { return {}; }
};

template <class Way = Auto>
IRGL_INLINE CommonNodes<Way> common_nodes(const Csr& g, node_t n, node_t m, node_t below = highest<node_t>()) {
  const Ends a = neighbors(g, n), b = neighbors(g, m);
  CommonNodes<Way> found{{a.begin, Binary::from(a.begin, a.end, below), b.begin, b.end}};
  found.first.meet();
  return found;
}

template <class Way = Auto>
IRGL_NOINLINE int32_t common(const Csr& g, node_t n, node_t m, node_t below = highest<node_t>()) {
  const Ends a = neighbors(g, n), b = neighbors(g, m);
  return a.size() <= b.size() ? Way::count(a, b, below) : Way::count(b, a, below);
}

struct Hash {};

namespace detail {
IRGL_INLINE bool is_marked(const MarkedRow& near, const Ends& row) {
  return near.begin == row.begin && near.end == row.end;
}
IRGL_INLINE bool was_asked(const MarkedRow& near, const Ends& row) {
  return near.before == row.begin || near.beside == row.begin;
}
IRGL_NOINLINE inline void mark(Thread& t, const Csr& g, const Ends& row) {
  MarkedRow& near = t.near;
  for (size_t i = 0; i < near.marked.size; ++i) near.marks[near.marked.data[i]] = 0;
  near.marked.size = 0;
  near.begin = near.end = nullptr;
  if (near.size < size_t(g.n)) {
    uint8_t* larger = allocate_array<uint8_t>(size_t(g.n), true);
    free(near.marks);
    near.marks = larger;
    near.size = size_t(g.n);
  }
  node_t* kept = near.marked.reserve(*t.rt, size_t(row.size()));
  for (const node_t* x = row.begin; x != row.end; ++x) near.marks[*kept++ = *x] = 1;
  near.begin = row.begin;
  near.end = row.end;
}
}  // namespace detail

// In rows of which one is long.
template <class Way>
IRGL_NOINLINE int32_t common_of(Thread& t, const Csr& g, Ends a, Ends b, node_t below) {
  constexpr bool chooses = std::is_same_v<Way, Auto>;
  MarkedRow& near = t.near;
  if (!detail::is_marked(near, a) && (detail::is_marked(near, b) || detail::was_asked(near, b))) std::swap(a, b);
  const bool again = detail::was_asked(near, a);
  near.before = a.begin;
  near.beside = b.begin;
  if constexpr (chooses) {
    const bool marked = detail::is_marked(near, a), worth = again && a.size() >= Auto::worth_marking;
    if (!marked && !worth) return a.size() <= b.size() ? Auto::count(a, b, below) : Auto::count(b, a, below);
    if (Auto::is_far_longer(b, a)) return Gallop::count(a, b, below);
  }
  if (!detail::is_marked(near, a)) detail::mark(t, g, a);
  return marked_of(near.marks, b, below);
}
template <class Way = Auto>
IRGL_INLINE int32_t common(Thread& t, const Csr& g, node_t n, node_t m, node_t below = highest<node_t>()) {
  const Ends a = neighbors(g, n);
  if (a.size() == 0 || *a.begin >= below) return 0;
  const Ends b = neighbors(g, m);
  if (b.size() == 0 || *b.begin >= below) return 0;
  if constexpr (std::is_same_v<Way, Auto>)
    if (a.size() < Auto::worth_marking && b.size() < Auto::worth_marking) return Few::count(a, b, below);
  return common_of<Way>(t, g, a, b, below);
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
