// Reductions on shared locations, and their plain twins: the twin of cpu_rt/atomics.hpp, with the same names and
// meaning.
//
// CUDA's own atomic is taken where there is one for operator and type, a compare-and-swap loop elsewhere. Types of 8
// and 16 bits are exchanged through the aligned 32-bit word around them, so every array that kernels update has whole
// words (runtime.cuh rounds up what it allocates). min, max, or and and look first: no improvement costs a load.
#pragma once
#include "loads.cuh"

namespace irgl {
namespace detail {
// The bits that stood there; they were replaced by `desired` if they were `expected`.
template <class T>
IRGL_DEVICE bits_t<T> cas_bits(T& location, bits_t<T> expected, bits_t<T> desired) {
  if constexpr (sizeof(T) >= 4) {
    return atomicCAS(reinterpret_cast<word_t<T>*>(&location), expected, desired);
  } else {
    using Word = word_t<unsigned>;
    const auto address = reinterpret_cast<uintptr_t>(&location);
    auto* word = reinterpret_cast<Word*>(address & ~uintptr_t(3));
    const unsigned shift = unsigned(address & 3) * 8;
    const unsigned mask = unsigned(bits_t<T>(~bits_t<T>(0))) << shift;
    unsigned seen = *const_cast<volatile Word*>(word);
    for (;;) {
      const bits_t<T> old = bits_t<T>((seen & mask) >> shift);
      if (old != expected) return old;
      const unsigned was = atomicCAS(word, seen, (seen & ~mask) | unsigned(desired) << shift);
      if (was == seen) return expected;
      seen = was;
    }
  }
}

// Replace the value by step(value); stop early when step leaves it as it is. `seen`: what it may be by now.
template <class T, class Step>
IRGL_DEVICE Reduced<T> cas_loop(T& location, bits_t<T> seen, Step step) {
  for (;;) {
    const T old = bit_cast<T>(seen);
    const bits_t<T> next = bit_cast<bits_t<T>>(static_cast<T>(step(old)));
    if (next == seen) return {old, false};
    const bits_t<T> was = cas_bits(location, seen, next);
    if (was == seen) return {old, true};
    seen = was;
  }
}
template <class T, class Step>
IRGL_DEVICE Reduced<T> cas_loop(T& location, Step step) {
  return cas_loop(location, bit_cast<bits_t<T>>(load(location)), step);
}
struct Min { template <class T> IRGL_BOTH T operator()(T a, T b) const { return b < a ? b : a; } };
struct Max { template <class T> IRGL_BOTH T operator()(T a, T b) const { return a < b ? b : a; } };
struct Add { template <class T> IRGL_BOTH T operator()(T a, T b) const { return plus<T>(a, b); } };
struct Sub { template <class T> IRGL_BOTH T operator()(T a, T b) const { return minus<T>(a, b); } };
struct Or { template <class T> IRGL_BOTH T operator()(T a, T b) const { return T(a | b); } };
struct And { template <class T> IRGL_BOTH T operator()(T a, T b) const { return T(a & b); } };
struct Xor { template <class T> IRGL_BOTH T operator()(T a, T b) const { return T(a ^ b); } };
struct Xchg { template <class T> IRGL_BOTH T operator()(T, T b) const { return b; } };

template <class T, class Op>
IRGL_BOTH Reduced<T> plain(T& location, T value, Op op) {
  const T old = location;
  const T next = op(old, value);
  location = next;
  return {old, !same(old, next)};
}

template <class T>
constexpr bool native_int = is_int<T> && sizeof(T) >= 4;
// The type by which CUDA's atomics know a number of 32 or 64 bits.
template <class T>
using native_t =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>,
                       std::conditional_t<std::is_signed_v<T>, int, unsigned>>;
template <class T> using aliased_t __attribute__((may_alias)) = T;
template <class T>
IRGL_DEVICE auto* native(T& location) { return reinterpret_cast<aliased_t<native_t<T>>*>(&location); }
}  // namespace detail

template <class T>
IRGL_DEVICE Reduced<T> atomic_cas(T& location, same_t<T> expected, same_t<T> desired) {
  const auto wanted = detail::bit_cast<detail::bits_t<T>>(expected);
  const auto was = detail::cas_bits(location, wanted, detail::bit_cast<detail::bits_t<T>>(desired));
  return {detail::bit_cast<T>(was), was == wanted};
}
template <class T>
IRGL_BOTH Reduced<T> plain_cas(T& location, same_t<T> expected, same_t<T> desired) {
  const T old = location;
  const bool done = detail::same<T>(old, expected);
  if (done) location = desired;
  return {old, done};
}

template <class T>
IRGL_DEVICE Reduced<T> atomic_min(T& location, same_t<T> value) {
  if constexpr (detail::native_int<T>) {
    const T seen = load(location);
    if (!(value < seen)) return {seen, false};
    const T old = T(atomicMin(detail::native(location), detail::native_t<T>(value)));
    return {old, value < old};
  } else {
    return detail::cas_loop(location, [=](T old) { return detail::Min{}(old, value); });
  }
}
template <class T>
IRGL_DEVICE Reduced<T> atomic_max(T& location, same_t<T> value) {
  if constexpr (detail::native_int<T>) {
    const T seen = load(location);
    if (!(seen < value)) return {seen, false};
    const T old = T(atomicMax(detail::native(location), detail::native_t<T>(value)));
    return {old, old < value};
  } else {
    return detail::cas_loop(location, [=](T old) { return detail::Max{}(old, value); });
  }
}
template <class T>
IRGL_DEVICE Reduced<T> atomic_add(T& location, same_t<T> value) {
  if constexpr (detail::native_int<T>) {
    using U = detail::word_t<T>;
    return {T(atomicAdd(reinterpret_cast<U*>(&location), detail::bits_t<T>(value))), value != 0};
  } else if constexpr (std::is_floating_point_v<T>) {
    const T old = atomicAdd(&location, value);
    return {old, !detail::same<T>(old, old + value)};
  } else {
    return detail::cas_loop(location, [=](T old) { return detail::Add{}(old, value); });
  }
}
template <class T>
IRGL_DEVICE Reduced<T> atomic_sub(T& location, same_t<T> value) {
  if constexpr (detail::native_int<T>) return atomic_add(location, T(0 - detail::bits_t<T>(value)));
  else if constexpr (std::is_floating_point_v<T>) return atomic_add(location, -value);
  else return detail::cas_loop(location, [=](T old) { return detail::Sub{}(old, value); });
}
template <class T>
IRGL_DEVICE Reduced<T> atomic_xchg(T& location, same_t<T> value) {
  if constexpr (sizeof(T) >= 4) {
    const T old = detail::bit_cast<T>(detail::bits_t<T>(
        atomicExch(reinterpret_cast<detail::word_t<T>*>(&location), detail::bit_cast<detail::bits_t<T>>(value))));
    return {old, !detail::same<T>(old, value)};
  } else {
    return detail::cas_loop(location, [=](T) { return value; });
  }
}
#define IRGL_BITWISE(name, Op, Native, looks)                                                                 \
  template <class T>                                                                                          \
  IRGL_DEVICE Reduced<T> atomic_##name(T& location, same_t<T> value) {                                        \
    const auto step = [=](T old) { return detail::Op{}(old, T(value)); };                                     \
    if constexpr (detail::native_int<T>) {                                                                    \
      if constexpr (looks) {                                                                                  \
        const T seen = load(location);                                                                        \
        if (step(seen) == seen) return {seen, false};                                                         \
      }                                                                                                       \
      const T old = T(Native(reinterpret_cast<detail::word_t<T>*>(&location), detail::bits_t<T>(value)));     \
      return {old, step(old) != old};                                                                         \
    } else {                                                                                                  \
      return detail::cas_loop(location, step);                                                                \
    }                                                                                                         \
  }
IRGL_BITWISE(or, Or, atomicOr, true)
IRGL_BITWISE(and, And, atomicAnd, true)
IRGL_BITWISE(xor, Xor, atomicXor, false)
#undef IRGL_BITWISE
template <bool is_shared, class T>
IRGL_DEVICE Reduced<T> reduce_cas(T& location, same_t<T> expected, same_t<T> desired) {
  if constexpr (is_shared) return atomic_cas(location, expected, desired);
  else return plain_cas(location, expected, desired);
}
#define IRGL_TWINS(name, Op)                                                          \
  template <class T>                                                                  \
  IRGL_BOTH Reduced<T> plain_##name(T& location, same_t<T> value) {                   \
    return detail::plain<T>(location, value, detail::Op{});                           \
  }                                                                                   \
  template <bool is_shared, class T>                                                  \
  IRGL_DEVICE Reduced<T> reduce_##name(T& location, same_t<T> value) {                \
    if constexpr (is_shared) return atomic_##name(location, value);                   \
    else return plain_##name(location, value);                                        \
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
template <class T>
IRGL_BOTH void plain_mul(T& location, same_t<T> value) { location = times<T>(location, value); }

}  // namespace irgl
