// The k-truss: edges in too few triangles of edges that are left go out, until all that are left are in enough.
// needs: undirected
// answer: edge in_truss
// args: k=4
// graphs: 4elt GrQc Enron
#include "serial.hpp"

#include <vector>

void run(const Graph& g, const double* args, int, double* inside) {
  const uint32_t least = uint32_t(args[0]) - 2;
  std::vector<uint64_t> twin(g.m), next(g.row, g.row + g.n);
  for (uint32_t u = 0; u < g.n; ++u)
    for (uint64_t e = g.row[u]; e < g.row[u + 1]; ++e) {
      twin[e] = next[g.col[e]]++;
      inside[e] = 1;
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t u = 0; u < g.n; ++u)
      for (uint64_t e = g.row[u]; e < g.row[u + 1]; ++e) {
        const uint32_t v = g.col[e];
        if (v < u || inside[e] == 0) continue;
        uint32_t common = 0;
        for (uint64_t i = g.row[u], j = g.row[v]; i < g.row[u + 1] && j < g.row[v + 1] && common < least;) {
          const uint32_t a = g.col[i], b = g.col[j];
          common += a == b && inside[i] != 0 && inside[j] != 0;
          i += a <= b;
          j += b <= a;
        }
        if (common < least) {
          inside[e] = inside[twin[e]] = 0;
          changed = true;
        }
      }
  }
}
