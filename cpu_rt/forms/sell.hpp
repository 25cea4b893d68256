// sell: SELL-C-sigma (irgl/forms/sell.py). A part is a chunk, its nodes are rows in the chunk's order.
#pragma once
#include "../sweep.hpp"

namespace irgl {
namespace forms {

struct sell : FormData {
  size_t chunks = 0, lanes = 1, rows = 0;
  const node_t* node = nullptr;
  const edge_t *degree = nullptr, *begin = nullptr;
  const node_t* far = nullptr;
  sell() = default;
  explicit sell(const irgl_form& f)
      : FormData(f), chunks(size_t(f.numbers[0])), lanes(size_t(f.numbers[1])), rows(size_t(f.numbers[2])),
        node(static_cast<const node_t*>(f.arrays[0])), degree(static_cast<const edge_t*>(f.arrays[1])),
        begin(static_cast<const edge_t*>(f.arrays[2])), far(static_cast<const node_t*>(f.arrays[3])) {}
};

}  // namespace forms

IRGL_INLINE size_t part_count(const forms::sell& f) { return f.chunks; }
IRGL_INLINE size_t rows_in(const forms::sell& f, Part p) {
  const size_t first = p.index * f.lanes;
  return f.rows - first < f.lanes ? f.rows - first : f.lanes;
}
IRGL_INLINE size_t work_of(const forms::sell& f) { return f.rows + size_t(f.begin[f.chunks]); }
template <class Op>
IRGL_INLINE void each_row(const forms::sell& f, Part p, Op&& op) {
  const size_t first = p.index * f.lanes;
  for (size_t k = 0; k < rows_in(f, p); ++k) op(f.node[first + k], k);
}
template <class Op, class... Sums>
IRGL_INLINE void rows_in_lanes(const forms::sell& f, Part p, Op&& op, Sums&... sums) {
  const int64_t first = int64_t(p.index * f.lanes);
  detail::in_lanes(first, first + int64_t(rows_in(f, p)), [&](int64_t i) { return f.node[i]; }, op, sums...);
}
// Columns that all rows have, a fixed number of rows at a time; then those of the rows that have not ended, which stand first.
template <bool together = false, class Op>
IRGL_INLINE void each_edge(const forms::sell& f, Part p, Op&& op) {
  const size_t first = p.index * f.lanes;
  const node_t* const node = f.node + first;
  const edge_t* const degree = f.degree + first;
  size_t live = rows_in(f, p);
  const node_t* far = f.far + f.begin[p.index];
  const node_t* const origin = f.far;
  edge_t i = 0;
  auto columns = [&](auto rows) __attribute__((always_inline)) {
    constexpr size_t count = decltype(rows)::value;
    for (const edge_t all = degree[count - 1]; i < all; ++i, far += count) {
      const edge_t place = edge_t(far - origin);
      if constexpr (together) {
#pragma GCC ivdep
        for (size_t k = 0; k < count; ++k) op(node[k], k, far[k], place + edge_t(k));
      } else {
        for (size_t k = 0; k < count; ++k) op(node[k], k, far[k], place + edge_t(k));
      }
    }
  };
  if (live == 16) columns(std::integral_constant<size_t, 16>());
  if (live == 32) columns(std::integral_constant<size_t, 32>());
  for (;; ++i, far += live) {
    while (live != 0 && degree[live - 1] <= i) --live;
    if (live == 0) return;
    for (size_t k = 0; k < live; ++k) op(node[k], k, far[k], edge_t(far - origin) + edge_t(k));
  }
}

}  // namespace irgl
