// Trussness: edges are taken away in the order of the triangles that they are in.
// needs: undirected
// answer: edge trussness
// graphs: 4elt GrQc Enron
#include "serial.hpp"

#include <vector>

namespace {
template <class F>
void triangles(const Graph& g, uint32_t u, uint32_t v, F f) {  // f(arc u -> w, arc v -> w) for each common neighbour
  for (uint64_t i = g.row[u], j = g.row[v]; i < g.row[u + 1] && j < g.row[v + 1];) {
    const uint32_t a = g.col[i], b = g.col[j];
    if (a == b) f(i, j);
    i += a <= b;
    j += b <= a;
  }
}
}  // namespace

void run(const Graph& g, const double*, int, double* trussness) {
  std::vector<uint64_t> edge(g.m), next(g.row, g.row + g.n);  // the arc that stands for an edge: from the lower end
  std::vector<uint32_t> support(g.m), from(g.m);
  std::vector<std::vector<uint64_t>> bins(1);
  for (uint32_t u = 0; u < g.n; ++u)
    for (uint64_t e = g.row[u]; e < g.row[u + 1]; ++e) {
      const uint32_t v = g.col[e];
      from[e] = u, edge[e] = e, trussness[e] = 0;
      if (v < u) edge[e] = next[v];
      ++next[v];
    }
  for (uint64_t e = 0; e < g.m; ++e) {
    if (edge[e] != e) continue;
    triangles(g, from[e], g.col[e], [&](uint64_t, uint64_t) { ++support[e]; });
    if (bins.size() <= support[e]) bins.resize(support[e] + 1);
    bins[support[e]].push_back(e);
  }
  for (uint32_t k = 0; k < bins.size(); ++k)
    for (uint64_t i = 0; i < bins[k].size(); ++i) {
      const uint64_t e = bins[k][i];
      if (trussness[e] != 0) continue;
      trussness[e] = k + 2;
      triangles(g, from[e], g.col[e], [&](uint64_t i, uint64_t j) {
        if (trussness[edge[i]] != 0 || trussness[edge[j]] != 0) return;
        for (const uint64_t x : {edge[i], edge[j]})
          if (support[x] > k) bins[--support[x]].push_back(x);
      });
    }
  for (uint64_t e = 0; e < g.m; ++e) trussness[e] = trussness[edge[e]];
}
