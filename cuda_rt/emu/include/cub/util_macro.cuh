// CUB's macros and small arithmetic.
#pragma once
#include "config.cuh"

#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_STATIC_ASSERT(condition, message) static_assert(condition, message)
#define CUB_PREVENT_MACRO_SUBSTITUTION

namespace cub {

template <class A, class B>
IRGL_EMU_MEMBER constexpr auto DivideAndRoundUp(A n, B d) {
  return n / d + (n % d != 0);
}

}  // namespace cub
