// Divisor: a number of 32 bits by which many others are divided, as a factor and a shift (Granlund and Montgomery,
// Division by invariant integers using multiplication, PLDI 1994). Its construction costs one division.
//
//     const irgl::Divisor d(width);
//     idiv(c, x, d, place)      as idiv(c, x, width, place) in arith.hpp
//     quotient(x, d)            the same where the divisor is known to be positive
#pragma once
#include "arith.hpp"

namespace irgl {

struct Divisor {
  int32_t by;
  unsigned shift = 0;
  uint64_t factor = 0;  // of 31 bits times 33 at most
  constexpr Divisor(int64_t d) : by(int32_t(d)) {
    if (by <= 0) return;
    shift = by == 1 ? 31 : 31 + 32 - unsigned(__builtin_clz(unsigned(by - 1)));
    factor = (uint64_t(1) << shift) / uint64_t(by) + 1;
  }
};

IRGL_INLINE int32_t quotient(int32_t x, const Divisor& d) {
  return __builtin_expect(x >= 0, 1) ? int32_t(uint64_t(x) * d.factor >> d.shift) : x / d.by;
}
IRGL_INLINE int32_t idiv(Runtime& c, int32_t x, const Divisor& d, int64_t place) {
  return __builtin_expect(d.by > 0, 1) ? quotient(x, d) : idiv<int32_t>(c, x, d.by, place);
}

}  // namespace irgl
