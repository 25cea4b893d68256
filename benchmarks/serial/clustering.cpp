// Clustering coefficients: triangles by merging the sorted neighbours of the ends of each edge.
// needs: undirected
// answer: node local_clustering
// graphs: Enron vote GrQc 4elt
#include "serial.hpp"

#include <vector>

void run(const Graph& g, const double*, int, double* answer) {
  std::vector<uint64_t> corners(g.n);
  for (uint32_t u = 0; u < g.n; ++u) {
    for (uint64_t e = g.row[u]; e < g.row[u + 1]; ++e) {
      const uint32_t v = g.col[e];
      if (v <= u) continue;
      uint64_t i = e + 1, j = g.row[v];
      while (i < g.row[u + 1] && j < g.row[v + 1]) {
        const uint32_t a = g.col[i], b = g.col[j];
        if (a == b && a > v) {
          ++corners[u];
          ++corners[v];
          ++corners[a];
        }
        i += a <= b;
        j += b <= a;
      }
    }
  }
  for (uint32_t n = 0; n < g.n; ++n) {
    const uint64_t degree = g.row[n + 1] - g.row[n], pairs = degree * (degree - 1) / 2;
    answer[n] = degree > 1 ? double(corners[n]) / double(pairs) : 0.0;
  }
}
