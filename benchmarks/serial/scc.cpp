// Strongly connected components: Tarjan's algorithm, with a stack of its own in place of calls.
// answer: node its_component
// graphs: vote epinions NotreDame NY
#include "serial.hpp"

#include <algorithm>
#include <vector>

void run(const Graph& g, const double*, int, double* component) {
  constexpr uint32_t none = ~uint32_t(0);
  std::vector<uint32_t> order(g.n, none), low(g.n), open, path;
  std::vector<uint64_t> next(g.row, g.row + g.n);
  std::vector<char> waits(g.n, 0);
  uint32_t count = 0;
  for (uint32_t root = 0; root < g.n; ++root) {
    if (order[root] != none) continue;
    path.push_back(root);
    while (!path.empty()) {
      const uint32_t n = path.back();
      if (order[n] == none) {
        order[n] = low[n] = count++;
        open.push_back(n);
        waits[n] = 1;
      }
      bool deeper = false;
      while (next[n] < g.row[n + 1]) {
        const uint32_t v = g.col[next[n]];
        if (order[v] == none) {
          path.push_back(v);
          deeper = true;
          break;
        }
        if (waits[v]) low[n] = std::min(low[n], low[v]);
        ++next[n];
      }
      if (deeper) continue;
      path.pop_back();
      if (low[n] != order[n]) continue;
      uint32_t v;
      do {
        v = open.back();
        open.pop_back();
        waits[v] = 0;
        component[v] = n;
      } while (v != n);
    }
  }
}
