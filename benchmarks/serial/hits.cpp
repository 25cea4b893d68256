// Hubs and authorities by the power iteration.
// needs: reverse
// answer: node authority
// args: epsilon=1e-8 max_iterations=1000
// graphs: Enron vote epinions HepPh
#include "serial.hpp"

#include <cmath>
#include <vector>

void run(const Graph& g, const double* args, int, double* authority) {
  std::vector<double> hub(g.n, 1.0 / g.n), next(g.n);
  double whole = 0;
  for (int i = 0; i < int(args[1]); ++i) {
    whole = 0;
    for (uint32_t n = 0; n < g.n; ++n) {
      double sum = 0;
      for (uint64_t e = g.in_row[n]; e < g.in_row[n + 1]; ++e) sum += hub[g.in_col[e]];
      authority[n] = sum;
      whole += sum;
    }
    double hubs = 0, change = 0;
    for (uint32_t n = 0; n < g.n; ++n) {
      double sum = 0;
      for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) sum += authority[g.col[e]];
      next[n] = sum;
      hubs += sum;
    }
    for (uint32_t n = 0; n < g.n; ++n) {
      change += std::fabs(next[n] / hubs - hub[n]);
      hub[n] = next[n] / hubs;
    }
    if (change < args[0]) break;
  }
  for (uint32_t n = 0; n < g.n; ++n) authority[n] /= whole;
}
