// What half and bfloat16 have in common: the runtime does all arithmetic of floats of 16 bits.
#pragma once
#include "convert.h"
#include "limits.h"

#define IRGL_EMU_ALWAYS inline __attribute__((always_inline))

struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;

namespace irgl_emu {

// The whole number of a small type that is nearest to one without a fraction; 0, or the lowest, for no number.
template <class To>
IRGL_EMU_INLINE To fit(float v) {
  if constexpr (sizeof(To) >= 4) {
    return whole<To, float>(v);
  } else {
    constexpr bool is_signed = To(-1) < To(0);
    constexpr int high = (1 << (8 * sizeof(To) - is_signed)) - 1, low = is_signed ? -high - 1 : 0;
    const int n = whole<int, float>(v);
    return (To)(n < low ? low : n > high ? high : n);
  }
}

// The float of 16 bits that a number is rounded to.
template <class T>
T made(int mode, double v);

template <class Key>
struct Radix;

}  // namespace irgl_emu
