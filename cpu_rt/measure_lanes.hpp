// How many rows pay to be taken at once on this machine: sums over short rows, as lanes.hpp has them, timed for each width.
// A few milliseconds. Gather instructions are slow on some processors, on others they are worth a factor of two.
#pragma once
#include "lanes.hpp"

#include <chrono>
#include <vector>

namespace irgl {
namespace detail {

// The least of several times that a loop takes which adds up values at the far ends of all edges, by K rows at a time.
template <int K>
IRGL_INLINE double time_of_lanes(const Rows& f, const float* value, double* sums) {
  Runtime rt(1);
  Thread& t = rt.host();
  double least = 1e9;
  for (int again = 0; again < 25; ++again) {
    const auto begin = std::chrono::steady_clock::now();
    for (Part part{0}; part.index < part_count(lanes<K>(f)); ++part.index) {
      InLanes<double, K> kept;
      each_row(lanes<K>(f), part, [&](node_t, size_t k) { kept[k] = 0; });
      each_edge(t, lanes<K>(f), part, [&](node_t, size_t k, node_t far, edge_t, auto&& kept) { kept[k] += value[far]; },
                sum(kept));
      rows_in_lanes(lanes<K>(f), part, [&](node_t n, size_t k) { sums[n] = kept[k]; });
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    least = took.count() < least ? took.count() : least;
  }
  return least;
}

}  // namespace detail
}  // namespace irgl

// 4, 8 or 16: the width that is fastest, and a tenth faster than row by row; 1: none is.
extern "C" int64_t irgl_best_lanes() {
  using namespace irgl;
  constexpr node_t n = 1 << 13;
  std::vector<edge_t> row(n + 1);
  std::vector<node_t> cols;
  uint32_t seed = 1;
  const auto draw = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (node_t v = 0; v < n; ++v) {  // one to five edges each, to nodes nearby
    for (uint32_t left = 1 + draw() % 5; left > 0; --left) cols.push_back((v + node_t(draw() % 256)) % n);
    row[size_t(v) + 1] = edge_t(cols.size());
  }
  std::vector<float> value(n, 1.0f);
  std::vector<double> sums(n);
  const Rows f{n, edge_t(cols.size()), row.data(), cols.data()};
  const double apart = detail::time_of_lanes<1>(f, value.data(), sums.data());
  const std::pair<double, int> times[] = {{detail::time_of_lanes<4>(f, value.data(), sums.data()), 4},
                                          {detail::time_of_lanes<8>(f, value.data(), sums.data()), 8},
                                          {detail::time_of_lanes<16>(f, value.data(), sums.data()), 16}};
  std::pair<double, int> best{apart * 0.9, 1};
  for (const auto& one : times) best = one < best ? one : best;
  return best.second;
}
