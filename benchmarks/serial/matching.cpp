// A maximal matching: each free node takes its first free neighbour.
// needs: undirected
// answer: node mate
// graphs: Enron wave twitter
#include "serial.hpp"

void run(const Graph& g, const double*, int, double* mate) {
  for (uint32_t n = 0; n < g.n; ++n) mate[n] = -1;
  for (uint32_t n = 0; n < g.n; ++n) {
    if (mate[n] >= 0) continue;
    for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) {
      const uint32_t other = g.col[e];
      if (mate[other] < 0 && other != n) {
        mate[n] = other;
        mate[other] = n;
        break;
      }
    }
  }
}
