// Betweenness over arc lengths: Brandes' algorithm with a binary heap.
// needs: weights
// answer: node betweenness
// args: sources=64
// graphs: rome GrQc rmat14 NY
#include "serial.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

void run(const Graph& g, const double* args, int, double* answer) {
  const double far = std::numeric_limits<double>::infinity();
  const uint64_t count = std::min(uint64_t(args[0]), uint64_t(g.n));
  auto length = [&](uint64_t e) { return g.weight ? g.weight[e] : 1.0; };
  std::vector<double> distance(g.n), paths(g.n), depends(g.n);
  std::vector<uint32_t> settled;
  std::fill(answer, answer + g.n, 0.0);
  for (uint64_t i = 0; i < count; ++i) {
    const uint32_t source = uint32_t(i * g.n / count);
    std::fill(distance.begin(), distance.end(), far);
    std::fill(paths.begin(), paths.end(), 0.0);
    std::fill(depends.begin(), depends.end(), 0.0);
    settled.clear();
    std::priority_queue<std::pair<double, uint32_t>, std::vector<std::pair<double, uint32_t>>, std::greater<>> heap;
    distance[source] = 0;
    paths[source] = 1;
    heap.push({0.0, source});
    while (!heap.empty()) {
      const auto [here, n] = heap.top();
      heap.pop();
      if (here > distance[n]) continue;
      settled.push_back(n);
      for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) {
        const uint32_t other = g.col[e];
        const double there = here + length(e);
        if (there < distance[other]) {
          distance[other] = there;
          paths[other] = paths[n];
          heap.push({there, other});
        } else if (there == distance[other]) {
          paths[other] += paths[n];
        }
      }
    }
    for (size_t k = settled.size(); k-- > 1;) {
      const uint32_t n = settled[k];
      for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e)
        if (distance[n] + length(e) == distance[g.col[e]]) depends[n] += paths[n] / paths[g.col[e]] * (1 + depends[g.col[e]]);
      answer[n] += depends[n];
    }
  }
}
