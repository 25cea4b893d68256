// Random walks from every node, one after the other.
// answer: node visits
// args: length=10 walk_seed=1
// graphs: Enron vote rome 4elt
#include "serial.hpp"

#include <algorithm>

static uint32_t hashed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return uint32_t(x ^ (x >> 31));
}

void run(const Graph& g, const double* args, int, double* visits) {
  std::fill(visits, visits + g.n, 0.0);
  for (uint32_t i = 0; i < g.n; ++i) {
    const uint64_t stream = uint64_t(hashed((uint64_t(args[1]) << 32) + i)) << 32;
    uint32_t n = i;
    ++visits[n];
    for (uint64_t step = 0; step < uint64_t(args[0]) && g.row[n] < g.row[n + 1]; ++step) {
      n = g.col[g.row[n] + (hashed(stream + step) * (g.row[n + 1] - g.row[n]) >> 32)];
      ++visits[n];
    }
  }
}
