// Numbers: the language's functions and the helpers whose meaning C leaves open; the twin of cpu_rt/math.hpp and
// arith.hpp. Sums of whole numbers wrap by plus, minus, times and negative (types.cuh): nvcc has no -fwrapv.
#pragma once
#include "atomics.cuh"

#ifndef __IRGL_EMU__
#define IRGL_LIBM(name) ::name
#else
#define IRGL_LIBM(name) __builtin_##name  // without the weight of <math.h>
#endif

namespace irgl {

template <class T>
IRGL_BOTH T min(T a, same_t<T> b) { return b < a ? b : a; }
template <class T>
IRGL_BOTH T max(T a, same_t<T> b) { return a < b ? b : a; }
template <class T>
IRGL_BOTH T abs(T a) { return a < T(0) ? negative<T>(a) : a; }
IRGL_BOTH float sqrt(float x) { return IRGL_LIBM(sqrtf)(x); }
IRGL_BOTH double sqrt(double x) { return IRGL_LIBM(sqrt)(x); }
IRGL_BOTH float exp(float x) { return IRGL_LIBM(expf)(x); }
IRGL_BOTH double exp(double x) { return IRGL_LIBM(exp)(x); }
IRGL_BOTH float log(float x) { return IRGL_LIBM(logf)(x); }
IRGL_BOTH double log(double x) { return IRGL_LIBM(log)(x); }
IRGL_BOTH float floor(float x) { return IRGL_LIBM(floorf)(x); }
IRGL_BOTH double floor(double x) { return IRGL_LIBM(floor)(x); }
IRGL_BOTH float ceil(float x) { return IRGL_LIBM(ceilf)(x); }
IRGL_BOTH double ceil(double x) { return IRGL_LIBM(ceil)(x); }
IRGL_BOTH float pow(float x, float y) { return IRGL_LIBM(powf)(x, y); }
IRGL_BOTH double pow(double x, double y) { return IRGL_LIBM(pow)(x, y); }
#define IRGL_OF_ONE(name)                                               \
  IRGL_BOTH float name(float x) { return IRGL_LIBM(name##f)(x); }       \
  IRGL_BOTH double name(double x) { return IRGL_LIBM(name)(x); }
#define IRGL_OF_TWO(name)                                                       \
  IRGL_BOTH float name(float x, float y) { return IRGL_LIBM(name##f)(x, y); }   \
  IRGL_BOTH double name(double x, double y) { return IRGL_LIBM(name)(x, y); }
IRGL_OF_ONE(cbrt)
IRGL_OF_ONE(expm1)
IRGL_OF_ONE(log2)
IRGL_OF_ONE(log10)
IRGL_OF_ONE(log1p)
IRGL_OF_ONE(trunc)
IRGL_OF_ONE(sin)
IRGL_OF_ONE(cos)
IRGL_OF_ONE(tan)
IRGL_OF_ONE(asin)
IRGL_OF_ONE(acos)
IRGL_OF_ONE(atan)
IRGL_OF_ONE(sinh)
IRGL_OF_ONE(cosh)
IRGL_OF_ONE(tanh)
IRGL_OF_TWO(atan2)
IRGL_OF_TWO(hypot)
#undef IRGL_OF_ONE
#undef IRGL_OF_TWO
IRGL_BOTH bool isnan(double x) { return !(x == x); }
IRGL_BOTH bool isinf(double x) { return x == highest<double>() || x == lowest<double>(); }
IRGL_BOTH int32_t popcount(uint64_t x) {
#if defined(__CUDA_ARCH__) && !defined(__IRGL_EMU__)
  return __popcll(x);
#else
  return __builtin_popcountll(x);
#endif
}
IRGL_BOTH uint32_t hash32(int64_t x) { return uint32_t(hash(uint64_t(x))); }

template <class T>
IRGL_BOTH T shl(T a, int64_t k) {
  return T(std::make_unsigned_t<T>(a) << (unsigned(k) & unsigned(sizeof(T) * 8 - 1)));
}
template <class T>
IRGL_BOTH T shr(T a, int64_t k) { return T(a >> (unsigned(k) & unsigned(sizeof(T) * 8 - 1))); }
template <class I, class F>
IRGL_BOTH I to_int(F x) {
  static_assert(std::is_integral_v<I> && std::is_floating_point_v<F>);
  if (!(x == x)) return I(0);
  const F top = F(uint64_t(1) << (sizeof(I) * 8 - 1 - (std::is_signed_v<I> ? 1 : 0))) * F(2);  // exact: a power of two
  if (x >= top) return highest<I>();
  if (x <= F(lowest<I>())) return lowest<I>();
  return static_cast<I>(x);
}

namespace detail {
template <class T>
IRGL_BOTH T quotient(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return T(0 - std::make_unsigned_t<T>(a));
  }
  return T(a / b);
}
template <class T>
IRGL_BOTH T remainder(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return T(0);
  }
  return T(a % b);
}
}  // namespace detail

}  // namespace irgl
