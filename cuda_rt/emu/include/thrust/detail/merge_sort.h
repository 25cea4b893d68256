// A stable sort by merging runs of twice the length each time: the first of two runs is put aside, and merged back.
#pragma once
#include "run.h"

namespace thrust::detail {

// In place of values, where there are none.
struct nothing {};

template <class To, class From>
IRGL_EMU_MEMBER void put_aside(To* to, From from, long n) {
  for (long i = 0; i < n; i++) ::new ((void*)(to + i)) To(from[i]);
}
template <class To>
IRGL_EMU_MEMBER void forget(To* to, long n) {
  if constexpr (!std::is_trivially_destructible_v<To>) {
    for (long i = 0; i < n; i++) to[i].~To();
  }
}

template <class K, class V, class Key, class Value, class F>
IRGL_EMU_MEMBER void merge_sort(K k, V v, long n, Key* keys, Value values, F less) {
  constexpr bool pairs = !std::is_same_v<V, nothing>;
  for (long width = 1; width < n; width *= 2) {
    for (long low = 0; low + width < n; low += 2 * width) {
      const long middle = low + width, high = n - middle < width ? n : middle + width;
      if (!less(given(k[middle]), given(k[middle - 1]))) continue;
      put_aside(keys, k + low, width);
      if constexpr (pairs) put_aside(values, v + low, width);
      long a = 0, b = middle, to = low;
      while (a < width) {
        if (b < high && less(given(k[b]), keys[a])) {
          k[to] = k[b];
          if constexpr (pairs) v[to] = v[b];
          b++;
        } else {
          k[to] = keys[a];
          if constexpr (pairs) v[to] = values[a];
          a++;
        }
        to++;
      }
      forget(keys, width);
      if constexpr (pairs) forget(values, width);
    }
  }
}

}  // namespace thrust::detail
