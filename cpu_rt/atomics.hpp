// Reductions on shared locations, and their plain twins with the same signature.
//
//     Reduced<T> atomic_min|max|add|sub|or|and|xor|xchg(T& location, T value)      shared location
//     Reduced<T> plain_min|...(T& location, T value)                               location owned by one thread
//     Reduced<T> reduce_min<shared>|...(location, value)                           one of the two, chosen by a constant
//     Reduced<T> atomic_cas(T& location, T expected, T desired)    changed: the exchange took place
//     T load(const T&), void store(T&, T)                          relaxed: any value some thread wrote, never torn
//     void pause()                                                 for a thread that looks again and again
//
// T is an integer of 8 to 64 bits, float, double, bool, or a trivially copyable struct of at most 8 bytes (two packed
// fields) whose size is a power of two; min and max of a struct ask for its operator<. All are relaxed: rounds are
// ordered by the end of the parallel loop. min and max look before they compare-and-swap, so that the common case (no
// improvement) costs a load and no cache line is taken. A NaN never wins a min or max.
#pragma once
#include "types.hpp"

namespace irgl {
namespace detail {
template <size_t> struct BitsOf;
template <> struct BitsOf<1> { using type = uint8_t; };
template <> struct BitsOf<2> { using type = uint16_t; };
template <> struct BitsOf<4> { using type = uint32_t; };
template <> struct BitsOf<8> { using type = uint64_t; };
template <class T> using bits_t = typename BitsOf<sizeof(T)>::type;

template <class To, class From>
IRGL_INLINE To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
  To to;
  __builtin_memcpy(static_cast<void*>(&to), &from, sizeof(To));
  return to;
}
template <class T>
using word_t __attribute__((may_alias)) = bits_t<T>;

template <class T>
constexpr bool is_int = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
IRGL_INLINE bool same(const T& a, const T& b) { return bit_cast<bits_t<T>>(a) == bit_cast<bits_t<T>>(b); }

// Replace the value by step(value) in a compare-and-swap loop; stop early when step leaves it as it is.
template <class T, class Step>
IRGL_INLINE Reduced<T> cas_loop(T& location, Step step) {
  auto* word = reinterpret_cast<word_t<T>*>(&location);
  bits_t<T> seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    const T old = bit_cast<T>(seen);
    const bits_t<T> next = bit_cast<bits_t<T>>(static_cast<T>(step(old)));
    if (next == seen) return {old, false};
    if (__atomic_compare_exchange_n(word, &seen, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return {old, true};
  }
}
struct Min { template <class T> IRGL_INLINE T operator()(T a, T b) const { return b < a ? b : a; } };
struct Max { template <class T> IRGL_INLINE T operator()(T a, T b) const { return a < b ? b : a; } };
struct Add { template <class T> IRGL_INLINE T operator()(T a, T b) const { return T(a + b); } };
struct Sub { template <class T> IRGL_INLINE T operator()(T a, T b) const { return T(a - b); } };
struct Or { template <class T> IRGL_INLINE T operator()(T a, T b) const { return T(a | b); } };
struct And { template <class T> IRGL_INLINE T operator()(T a, T b) const { return T(a & b); } };
struct Xor { template <class T> IRGL_INLINE T operator()(T a, T b) const { return T(a ^ b); } };
struct Xchg { template <class T> IRGL_INLINE T operator()(T, T b) const { return b; } };

template <class T, class Op>
IRGL_INLINE Reduced<T> plain(T& location, T value, Op op) {
  const T old = location;
  const T next = op(old, value);
  location = next;
  return {old, !same(old, next)};
}
template <class T, class Op>
IRGL_INLINE Reduced<T> shared(T& location, T value, Op op) {
  return cas_loop(location, [=](T old) { return op(old, value); });
}
}  // namespace detail

template <class T>
using same_t = std::common_type_t<T>;  // a parameter that takes its type from the location alone

template <class T>
IRGL_INLINE T load(const T& location) {
  auto* word = reinterpret_cast<const detail::word_t<T>*>(&location);
  return detail::bit_cast<T>(static_cast<detail::bits_t<T>>(__atomic_load_n(word, __ATOMIC_RELAXED)));
}
template <class T>
IRGL_INLINE void store(T& location, same_t<T> value) {
  auto* word = reinterpret_cast<detail::word_t<T>*>(&location);
  __atomic_store_n(word, detail::bit_cast<detail::bits_t<T>>(value), __ATOMIC_RELAXED);
}
IRGL_INLINE void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}
template <class T>
IRGL_INLINE Reduced<T> atomic_cas(T& location, same_t<T> expected, same_t<T> desired) {
  auto* word = reinterpret_cast<detail::word_t<T>*>(&location);
  auto seen = detail::bit_cast<detail::bits_t<T>>(expected);
  const bool done = __atomic_compare_exchange_n(word, &seen, detail::bit_cast<detail::bits_t<T>>(desired), false,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return {detail::bit_cast<T>(seen), done};
}
template <class T>
IRGL_INLINE Reduced<T> plain_cas(T& location, same_t<T> expected, same_t<T> desired) {
  const T old = location;
  const bool done = detail::same<T>(old, expected);
  if (done) location = desired;
  return {old, done};
}
template <bool shared, class T>
IRGL_INLINE Reduced<T> reduce_cas(T& location, same_t<T> expected, same_t<T> desired) {
  if constexpr (shared) return atomic_cas(location, expected, desired);
  else return plain_cas(location, expected, desired);
}

template <class T>
IRGL_INLINE Reduced<T> atomic_min(T& location, same_t<T> value) {
  return detail::shared<T>(location, value, detail::Min{});
}
template <class T>
IRGL_INLINE Reduced<T> atomic_max(T& location, same_t<T> value) {
  return detail::shared<T>(location, value, detail::Max{});
}
template <class T>
IRGL_INLINE Reduced<T> atomic_add(T& location, same_t<T> value) {
  if constexpr (detail::is_int<T>) {
    const T old = T(__atomic_fetch_add(&location, value, __ATOMIC_RELAXED));
    return {old, value != 0};
  } else {
    return detail::shared<T>(location, value, detail::Add{});
  }
}
template <class T>
IRGL_INLINE Reduced<T> atomic_sub(T& location, same_t<T> value) {
  if constexpr (detail::is_int<T>) {
    const T old = T(__atomic_fetch_sub(&location, value, __ATOMIC_RELAXED));
    return {old, value != 0};
  } else {
    return detail::shared<T>(location, value, detail::Sub{});
  }
}
template <class T>
IRGL_INLINE Reduced<T> atomic_xchg(T& location, same_t<T> value) {
  auto* word = reinterpret_cast<detail::word_t<T>*>(&location);
  const T old = detail::bit_cast<T>(static_cast<detail::bits_t<T>>(
      __atomic_exchange_n(word, detail::bit_cast<detail::bits_t<T>>(value), __ATOMIC_RELAXED)));
  return {old, !detail::same<T>(old, value)};
}
// or, and, xor also look first: a bit that stands already costs a load.
#define IRGL_BITWISE(name, Op)                                                                              \
  template <class T>                                                                                        \
  IRGL_INLINE Reduced<T> atomic_##name(T& location, same_t<T> value) {                                      \
    return detail::shared<T>(location, value, detail::Op{});                                                \
  }
IRGL_BITWISE(or, Or)
IRGL_BITWISE(and, And)
IRGL_BITWISE(xor, Xor)
#undef IRGL_BITWISE
#define IRGL_TWINS(name, Op)                                                                                \
  template <class T>                                                                                        \
  IRGL_INLINE Reduced<T> plain_##name(T& location, same_t<T> value) {                                       \
    return detail::plain<T>(location, value, detail::Op{});                                                 \
  }                                                                                                         \
  template <bool is_shared, class T>                                                                        \
  IRGL_INLINE Reduced<T> reduce_##name(T& location, same_t<T> value) {                                      \
    if constexpr (is_shared) return atomic_##name(location, value);                                         \
    else return plain_##name(location, value);                                                              \
  }
IRGL_TWINS(min, Min)
IRGL_TWINS(max, Max)
IRGL_TWINS(add, Add)
IRGL_TWINS(sub, Sub)
IRGL_TWINS(or, Or)
IRGL_TWINS(and, And)
IRGL_TWINS(xor, Xor)
IRGL_TWINS(xchg, Xchg)
#undef IRGL_TWINS

}  // namespace irgl
