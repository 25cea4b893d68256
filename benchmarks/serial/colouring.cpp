// A colouring: each node in turn takes the least colour that no neighbour has.
// needs: undirected
// answer: node own_colour
// graphs: Enron wave twitter
#include "serial.hpp"

#include <vector>

void run(const Graph& g, const double*, int, double* colour) {
  std::vector<uint32_t> seen;  // by colour: the last node (plus one) with a neighbour of it
  for (uint32_t n = 0; n < g.n; ++n) colour[n] = -1;
  for (uint32_t n = 0; n < g.n; ++n) {
    for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) {
      const double other = colour[g.col[e]];
      if (other >= 0) seen[uint32_t(other)] = n + 1;
    }
    uint32_t least = 0;
    while (least < seen.size() && seen[least] == n + 1) ++least;
    if (least == seen.size()) seen.push_back(0);
    colour[n] = least;
  }
}
