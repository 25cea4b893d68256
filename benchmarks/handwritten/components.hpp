// What both programs for connected components share. Edges join their ends whichever way they point; a component's
// label is its smallest node.
#pragma once
#include "device.hpp"

inline void print_components(const char* variant, float ms, const std::vector<int>& label) {
  long long components = 0, labels = 0;
  for (size_t v = 0; v < label.size(); ++v) {
    components += label[v] == int(v) ? 1 : 0;
    labels += label[v];
  }
  printf("{\"program\": \"cc\", \"variant\": \"%s\", \"ms\": %.4f, \"components\": %lld, \"labels\": %lld}\n",
         variant, ms, components, labels);
}
