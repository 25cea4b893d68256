// Updates of locations that their owner alone writes, while others read them: a load and a store instead of an atomic.
//
//     Reduced<T> watched_min<shared>|max|add|sub|or|and|xor|xchg(T& location, T value)
//     Reduced<T> watched_cas<shared>(T& location, T expected, T desired)
// Both are relaxed: a reader gets what was there before or what is there afterwards, never a part of it. shared: all
// threads together are the owner, and it is atomic. Nothing is stored where nothing changes.
#pragma once
#include "atomics.hpp"

namespace irgl {
namespace detail {
template <class T, class Op>
IRGL_INLINE Reduced<T> watched(T& location, T value, Op op) {
  const T old = load(location), next = op(old, value);
  if (same(old, next)) return {old, false};
  store(location, next);
  return {old, true};
}
}  // namespace detail

template <bool is_shared, class T>
IRGL_INLINE Reduced<T> watched_cas(T& location, same_t<T> expected, same_t<T> desired) {
  if constexpr (is_shared) {
    return atomic_cas(location, expected, desired);
  } else {
    const T old = load(location);
    const bool done = detail::same<T>(old, expected);
    if (done) store(location, desired);
    return {old, done};
  }
}
#define IRGL_WATCHED(name, Op)                                                \
  template <bool is_shared, class T>                                          \
  IRGL_INLINE Reduced<T> watched_##name(T& location, same_t<T> value) {       \
    if constexpr (is_shared) return atomic_##name(location, value);           \
    else return detail::watched<T>(location, value, detail::Op{});            \
  }
IRGL_WATCHED(min, Min)
IRGL_WATCHED(max, Max)
IRGL_WATCHED(add, Add)
IRGL_WATCHED(sub, Sub)
IRGL_WATCHED(or, Or)
IRGL_WATCHED(and, And)
IRGL_WATCHED(xor, Xor)
IRGL_WATCHED(xchg, Xchg)
#undef IRGL_WATCHED

}  // namespace irgl
