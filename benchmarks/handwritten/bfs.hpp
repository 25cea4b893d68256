// What both programs for breadth-first search share: the answer's line.
#pragma once
#include "device.hpp"

inline void print_levels(const char* variant, float ms, const std::vector<int>& level) {
  int reached = 0, deepest = 0;
  for (int d : level) {
    if (d == INF) continue;
    ++reached;
    deepest = std::max(deepest, d);
  }
  printf("{\"program\": \"bfs\", \"variant\": \"%s\", \"ms\": %.4f, \"reached\": %d, \"deepest\": %d}\n", variant, ms,
         reached, deepest);
}
