// What both programs for PageRank share. As NetworkX has it: the rank of nodes without out-edges goes to all nodes
// alike, ranks sum to one, and rounds end when all changes together are below TOLERANCE.
#pragma once
#include "device.hpp"

constexpr float DAMPING = 0.85f;
constexpr double TOLERANCE = 1e-5;
constexpr int MOST_ROUNDS = 200;

inline void print_ranks(const char* variant, float ms, int rounds, const std::vector<float>& rank) {
  double sum = 0, largest = 0, mixed = 0;
  for (size_t v = 0; v < rank.size(); ++v) {
    sum += rank[v];
    largest = std::max<double>(largest, rank[v]);
    mixed += rank[v] * double(v % 7);
  }
  printf("{\"program\": \"pr\", \"variant\": \"%s\", \"ms\": %.4f, \"rounds\": %d, \"sum\": %.6f, \"largest\": %.6g, "
         "\"mixed\": %.6g}\n", variant, ms, rounds, sum, largest, mixed);
}
