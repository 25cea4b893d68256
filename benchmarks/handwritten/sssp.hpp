// What both programs for shortest paths share: the width of the near list's range, and the answer's line.
#pragma once
#include "device.hpp"

// The mean weight times 32 over the mean degree, after Davidson and others: near lists then fill the device.
inline int default_delta(const Graph& g) {
  double sum = 0;
  for (int w : g.weights) sum += w;
  const double mean = g.m > 0 ? sum / g.m : 1, degree = g.n > 0 && g.m > 0 ? double(g.m) / g.n : 1;
  return int(std::min(std::max(mean * 32 / degree, 1.0), 1e9));
}

inline void print_distances(const char* variant, float ms, const std::vector<int>& dist) {
  long long reached = 0, deepest = 0, total = 0;
  for (int d : dist) {
    if (d == INF) continue;
    ++reached;
    deepest = std::max<long long>(deepest, d);
    total += d;
  }
  printf("{\"program\": \"sssp\", \"variant\": \"%s\", \"ms\": %.4f, \"reached\": %lld, \"deepest\": %lld, "
         "\"total\": %lld}\n", variant, ms, reached, deepest, total);
}
