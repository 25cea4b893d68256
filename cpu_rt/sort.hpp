// Sorting in place, for arrays that mostly are small: no memory, no recursion, and the same order on every target.
//
//     irgl::sort(data, count)   ascending: O(n log n) by heapsort (J. Williams, 1964), by insertion where there are few
#pragma once
#include "types.hpp"

namespace irgl {
namespace detail {

// The order of numbers, nodes and edges. It is total: -0.0 comes before 0.0, and NaN behind all else.
template <class T>
IRGL_INLINE bool comes_before(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return a == a && b != b;
    if (a == 0 && b == 0) return T(1) / a < T(1) / b;
  }
  return a < b;
}
template <class T>
void sink(T* data, int64_t at, int64_t count) {  // of a heap, whose greatest item is the first
  const T x = data[at];
  for (int64_t below; (below = 2 * at + 1) < count; at = below) {
    if (below + 1 < count && comes_before(data[below], data[below + 1])) ++below;
    if (!comes_before(x, data[below])) break;
    data[at] = data[below];
  }
  data[at] = x;
}

}  // namespace detail

template <class T>
void sort(T* data, int64_t count) {
  if (count <= 24) {
    for (int64_t i = 1; i < count; ++i) {
      const T x = data[i];
      int64_t at = i;
      for (; at > 0 && detail::comes_before(x, data[at - 1]); --at) data[at] = data[at - 1];
      data[at] = x;
    }
    return;
  }
  for (int64_t i = count / 2; i-- > 0;) detail::sink(data, i, count);
  for (int64_t end = count - 1; end > 0; --end) {
    const T greatest = data[0];
    data[0] = data[end];
    data[end] = greatest;
    detail::sink(data, 0, end);
  }
}

}  // namespace irgl
