// Widest paths: Dijkstra's algorithm with a binary heap, the widest node first.
// needs: weights
// answer: node bottleneck
// args: src=hub
// graphs: NY kron14 grid
#include "serial.hpp"

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

void run(const Graph& g, const double* args, int, double* width) {
  const uint32_t src = uint32_t(args[0]);
  std::fill(width, width + g.n, 0.0);
  width[src] = 2147483647;
  std::priority_queue<std::pair<double, uint32_t>> heap;
  heap.push({width[src], src});
  while (!heap.empty()) {
    const auto [here, n] = heap.top();
    heap.pop();
    if (here < width[n]) continue;
    for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) {
      const double through = std::min(here, g.weight[e]);
      if (through > width[g.col[e]]) {
        width[g.col[e]] = through;
        heap.push({through, g.col[e]});
      }
    }
  }
}
