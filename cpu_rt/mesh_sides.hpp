// Neighbours of triangles from shared sides, on both targets' hosts.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace irgl {
namespace detail {

// Of `count` triangles, by number, with alive, point[3] and across[3]: across becomes the triangle with the same side,
// or -1. Sides are chained by their lower point, the latest first; head and next have room for points and for sides.
template <class Node, class Triangles>
void connect(Triangles& triangles, size_t count, int64_t* head, size_t points, int64_t* next) {
  for (size_t p = 0; p < points; ++p) head[p] = -1;
  for (size_t s = 0; s < 3 * count; ++s) {
    auto& t = triangles[s / 3];
    if (!t.alive) continue;
    t.across[s % 3] = -1;
    const Node a = t.point[s % 3], b = t.point[(s + 1) % 3];
    int64_t& chain = head[size_t(a < b ? a : b)];
    for (int64_t seen = chain; seen >= 0; seen = next[size_t(seen)]) {
      auto& u = triangles[size_t(seen) / 3];
      const Node from = u.point[seen % 3], to = u.point[(seen + 1) % 3];
      if ((from == a && to == b) || (from == b && to == a)) {
        u.across[seen % 3] = Node(s / 3);
        t.across[s % 3] = Node(size_t(seen) / 3);
        break;
      }
    }
    next[s] = chain;
    chain = int64_t(s);
  }
}

}  // namespace detail
}  // namespace irgl
