// Jaccard similarity of the ends of every edge: a node marks its neighbours, and those of each neighbour are looked up.
// needs: undirected
// answer: edge similarity
// graphs: Enron vote GrQc 4elt
#include "serial.hpp"

#include <vector>

void run(const Graph& g, const double*, int, double* answer) {
  std::vector<uint32_t> marked_by(g.n, UINT32_MAX);
  for (uint32_t u = 0; u < g.n; ++u) {
    for (uint64_t e = g.row[u]; e < g.row[u + 1]; ++e) marked_by[g.col[e]] = u;
    for (uint64_t e = g.row[u]; e < g.row[u + 1]; ++e) {
      const uint32_t v = g.col[e];
      uint64_t common = 0;
      for (uint64_t f = g.row[v]; f < g.row[v + 1]; ++f) common += marked_by[g.col[f]] == u;
      const uint64_t both = (g.row[u + 1] - g.row[u]) + (g.row[v + 1] - g.row[v]) - common;
      answer[e] = double(common) / double(both);
    }
  }
}
