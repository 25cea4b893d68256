// Labels by rounds: every node takes its neighbours' most frequent label, of several the smallest.
// needs: undirected
// answer: node community
// args: rounds=10
// graphs: Enron vote GrQc 4elt
#include "serial.hpp"

#include <vector>

void run(const Graph& g, const double* args, int, double* answer) {
  std::vector<uint32_t> label(g.n), next(g.n), count(g.n);
  for (uint32_t n = 0; n < g.n; ++n) label[n] = n;
  for (int round = 0; round < int(args[0]); ++round) {
    bool moved = false;
    for (uint32_t n = 0; n < g.n; ++n) {
      uint32_t best = label[n], most = 0;
      for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) {
        const uint32_t l = label[g.col[e]], c = ++count[l];
        if (c > most || (c == most && l < best)) {
          best = l;
          most = c;
        }
      }
      for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) count[label[g.col[e]]] = 0;
      next[n] = best;
      moved |= best != label[n];
    }
    label.swap(next);
    if (!moved) break;
  }
  for (uint32_t n = 0; n < g.n; ++n) answer[n] = label[n];
}
