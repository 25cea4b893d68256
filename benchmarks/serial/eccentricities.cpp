// Eccentricities: a breadth-first search from every node.
// needs: undirected
// answer: node greatest_distance
// graphs: vote GrQc rome 4elt
#include "serial.hpp"

#include <vector>

void run(const Graph& g, const double*, int, double* answer) {
  std::vector<uint32_t> queue(g.n), hops(g.n);
  for (uint32_t source = 0; source < g.n; ++source) {
    hops.assign(g.n, UINT32_MAX);
    hops[source] = 0;
    queue[0] = source;
    uint32_t last = 1;
    for (uint32_t first = 0; first < last; ++first) {
      const uint32_t n = queue[first];
      for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) {
        const uint32_t other = g.col[e];
        if (hops[other] != UINT32_MAX) continue;
        hops[other] = hops[n] + 1;
        queue[last++] = other;
      }
    }
    answer[source] = hops[queue[last - 1]];
  }
}
