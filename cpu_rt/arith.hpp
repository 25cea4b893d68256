// Integer and conversion helpers with one meaning on every target, where C leaves it undefined or to the machine.
//
//     idiv(c, a, b, place), imod(c, a, b, place) quotient and remainder; b == 0: c.fault(place), value 0;
//                                                the most negative number over -1 wraps (remainder 0)
//     shl(a, k), shr(a, k)                       the count is taken modulo the width of a; shr of a signed a keeps the sign
//     to_int<I>(x)                               float to integer: truncates, saturates at I's ends, NaN gives 0
//     tuned<T>(x, p, q)                          p/q of a positive x as a T, whole numbers 1 at least; any other x as it is
// Sums, differences and products wrap by -fwrapv.
#pragma once
#include "runtime.hpp"

namespace irgl {

template <class T>
IRGL_INLINE T idiv(Runtime& c, T a, same_t<T> b, int64_t place) {
  if (__builtin_expect(b == 0, 0)) return c.fault(place), T(0);
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return T(0 - std::make_unsigned_t<T>(a));
  }
  return T(a / b);
}
template <class T>
IRGL_INLINE T imod(Runtime& c, T a, same_t<T> b, int64_t place) {
  if (__builtin_expect(b == 0, 0)) return c.fault(place), T(0);
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return T(0);
  }
  return T(a % b);
}
template <class T>
IRGL_INLINE T shl(T a, int64_t k) {
  return T(std::make_unsigned_t<T>(a) << (unsigned(k) & unsigned(sizeof(T) * 8 - 1)));
}
template <class T>
IRGL_INLINE T shr(T a, int64_t k) {
  return T(a >> (unsigned(k) & unsigned(sizeof(T) * 8 - 1)));
}
template <class I, class F>
IRGL_INLINE I to_int(F x) {
  static_assert(std::is_integral_v<I> && std::is_floating_point_v<F>);
  if (!(x == x)) return I(0);
  const F top = F(uint64_t(1) << (sizeof(I) * 8 - 1 - (std::is_signed_v<I> ? 1 : 0))) * F(2);  // exact: a power of two
  if (x >= top) return highest<I>();
  if (x <= F(lowest<I>())) return lowest<I>();
  return static_cast<I>(x);
}

template <class T, class X>
T tuned(X x, int64_t p, int64_t q) {
  if constexpr (std::is_floating_point_v<T>) {
    return T(x > X(0) ? double(x) * double(p) / double(q) : double(x));
  } else if constexpr (std::is_floating_point_v<X>) {
    const double scaled = double(x) * double(p) / double(q);
    return x > X(0) ? scaled < 1 ? T(1) : to_int<T>(scaled) : to_int<T>(x);
  } else {
    if (!(x > X(0))) return T(x);
    const __int128 scaled = __int128(x) * p / q;
    return scaled < 1 ? T(1) : scaled > __int128(highest<T>()) ? highest<T>() : T(scaled);
  }
}

}  // namespace irgl
