// A dominating set by greed: a heap gives the node that covers most, which is looked at again when its turn comes.
// needs: undirected
// answer: node in_set
// graphs: Enron vote GrQc 4elt
#include "serial.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

static uint32_t scattered(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

void run(const Graph& g, const double*, int, double* answer) {
  using Entry = std::tuple<uint32_t, uint32_t, uint32_t>;  // covers, ~order, node
  std::vector<Entry> entries(g.n);
  std::vector<char> covered(g.n);
  for (uint32_t n = 0; n < g.n; ++n) entries[n] = {uint32_t(g.row[n + 1] - g.row[n]) + 1, ~scattered(n), n};
  std::priority_queue<Entry> heap(std::less<Entry>(), std::move(entries));
  std::fill(answer, answer + g.n, 0.0);
  while (!heap.empty()) {
    auto [most, order, n] = heap.top();
    heap.pop();
    uint32_t fresh = !covered[n];
    for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) fresh += !covered[g.col[e]];
    if (fresh == 0) continue;
    if (fresh < most) {
      heap.push({fresh, order, n});
      continue;
    }
    answer[n] = 1;
    covered[n] = 1;
    for (uint64_t e = g.row[n]; e < g.row[n + 1]; ++e) covered[g.col[e]] = 1;
  }
}
