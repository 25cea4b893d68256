// The language's functions of numbers, with one meaning on every target.
#pragma once
#include "types.hpp"

namespace irgl {

template <class T>
IRGL_INLINE T min(T a, std::common_type_t<T> b) { return b < a ? b : a; }
template <class T>
IRGL_INLINE T max(T a, std::common_type_t<T> b) { return a < b ? b : a; }
template <class T>
IRGL_INLINE T abs(T a) {
  if constexpr (std::is_floating_point_v<T>) return T(__builtin_fabs(a));  // also of -0.0
  else return a < T(0) ? T(-a) : a;
}
IRGL_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }
IRGL_INLINE double sqrt(double x) { return __builtin_sqrt(x); }
IRGL_INLINE float exp(float x) { return __builtin_expf(x); }
IRGL_INLINE double exp(double x) { return __builtin_exp(x); }
IRGL_INLINE float log(float x) { return __builtin_logf(x); }
IRGL_INLINE double log(double x) { return __builtin_log(x); }
IRGL_INLINE float floor(float x) { return __builtin_floorf(x); }
IRGL_INLINE double floor(double x) { return __builtin_floor(x); }
IRGL_INLINE float ceil(float x) { return __builtin_ceilf(x); }
IRGL_INLINE double ceil(double x) { return __builtin_ceil(x); }
IRGL_INLINE float pow(float x, float y) { return __builtin_powf(x, y); }
IRGL_INLINE double pow(double x, double y) { return __builtin_pow(x, y); }
#define IRGL_OF_ONE(name)                                                  \
  IRGL_INLINE float name(float x) { return __builtin_##name##f(x); }       \
  IRGL_INLINE double name(double x) { return __builtin_##name(x); }
#define IRGL_OF_TWO(name)                                                          \
  IRGL_INLINE float name(float x, float y) { return __builtin_##name##f(x, y); }   \
  IRGL_INLINE double name(double x, double y) { return __builtin_##name(x, y); }
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
IRGL_INLINE bool isinf(double x) { return __builtin_isinf(x); }
IRGL_INLINE bool isnan(double x) { return __builtin_isnan(x); }
IRGL_INLINE int32_t popcount(uint64_t x) { return __builtin_popcountll(x); }
// 32 bits that look random, of any integer: the low half of hash (types.hpp).
IRGL_INLINE uint32_t hash32(int64_t x) { return uint32_t(hash(uint64_t(x))); }

}  // namespace irgl
