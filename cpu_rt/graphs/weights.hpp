// Weights of edges, of a type that is known when a graph is made: 0: none, 1: int32, 2: int64, 3: float, 4: double.
#pragma once
#include "../types.hpp"

namespace irgl {
namespace graphs {

struct Weights {
  const void* data;
  int64_t kind;

  bool none() const { return kind == 0; }
  // Calls f with the weights as an array of their type.
  template <class F>
  auto as(F&& f) const {
    switch (kind) {
      case 1: return f(static_cast<const int32_t*>(data));
      case 2: return f(static_cast<const int64_t*>(data));
      case 3: return f(static_cast<const float*>(data));
      default: return f(static_cast<const double*>(data));
    }
  }
  bool less(int64_t a, int64_t b) const {
    return as([=](auto w) { return w[a] < w[b]; });
  }
};

// The weight at `from` goes to `to`, as so many bytes: 0, 4 or 8.
inline void copy_weight(const void* weights, int64_t from, void* out, int64_t to, int64_t bytes) {
  if (bytes == 4) static_cast<uint32_t*>(out)[to] = static_cast<const uint32_t*>(weights)[from];
  else if (bytes == 8) static_cast<uint64_t*>(out)[to] = static_cast<const uint64_t*>(weights)[from];
}

}  // namespace graphs
}  // namespace irgl
