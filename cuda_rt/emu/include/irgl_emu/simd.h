// Whole numbers of 16 and 8 bits side by side in a word, averages, and what an address is.
#pragma once
#include "intrinsics.h"

namespace irgl_emu {
template <int Bits, bool Signed>
IRGL_EMU_INLINE int field(unsigned v, int at) {
  const unsigned f = v >> at & ((1u << Bits) - 1);
  return Signed && (f >> (Bits - 1)) != 0 ? (int)f - (1 << Bits) : (int)f;
}
// The nearest that a field holds.
template <int Bits, bool Signed>
IRGL_EMU_INLINE int held(int v) {
  constexpr int low = Signed ? -(1 << (Bits - 1)) : 0, high = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  return v < low ? low : v > high ? high : v;
}
}  // namespace irgl_emu

#define IRGL_EMU_FIELDS(name, bits, is_signed, how)                                                        \
  IRGL_EMU_INLINE unsigned name(unsigned x, unsigned y) {                                                  \
    constexpr int Bits = bits;                                                                             \
    constexpr bool Signed = is_signed;                                                                     \
    unsigned r = 0;                                                                                        \
    for (int i = 0; i < 32; i += Bits) {                                                                   \
      [[maybe_unused]] const int a = irgl_emu::field<Bits, Signed>(x, i);                                  \
      [[maybe_unused]] const int b = irgl_emu::field<Bits, Signed>(y, i);                                  \
      r |= ((unsigned)(how) & ((1u << Bits) - 1)) << i;                                                    \
    }                                                                                                      \
    return r;                                                                                              \
  }
#define IRGL_EMU_PAIR(name, is_signed, how)     \
  IRGL_EMU_FIELDS(name##2, 16, is_signed, how)  \
  IRGL_EMU_FIELDS(name##4, 8, is_signed, how)
#define IRGL_EMU_ONE(name, how)                                                   \
  IRGL_EMU_FIELDS(name##2_of, 16, true, how)                                      \
  IRGL_EMU_FIELDS(name##4_of, 8, true, how)                                       \
  IRGL_EMU_INLINE unsigned name##2(unsigned v) { return name##2_of(v, 0); }       \
  IRGL_EMU_INLINE unsigned name##4(unsigned v) { return name##4_of(v, 0); }
#define IRGL_EMU_HELD(v) (irgl_emu::held<Bits, Signed>(v))
IRGL_EMU_PAIR(__vadd, false, a + b)
IRGL_EMU_PAIR(__vaddss, true, IRGL_EMU_HELD(a + b))
IRGL_EMU_PAIR(__vaddus, false, IRGL_EMU_HELD(a + b))
IRGL_EMU_PAIR(__vsub, false, a - b)
IRGL_EMU_PAIR(__vsubss, true, IRGL_EMU_HELD(a - b))
IRGL_EMU_PAIR(__vsubus, false, IRGL_EMU_HELD(a - b))
IRGL_EMU_PAIR(__vavgs, true, (a + b + (a + b >= 0)) >> 1)
IRGL_EMU_PAIR(__vavgu, false, (a + b + 1) >> 1)
IRGL_EMU_PAIR(__vhaddu, false, (a + b) >> 1)
IRGL_EMU_PAIR(__vabsdiffs, true, a < b ? b - a : a - b)
IRGL_EMU_PAIR(__vabsdiffu, false, a < b ? b - a : a - b)
IRGL_EMU_PAIR(__vmaxs, true, a < b ? b : a)
IRGL_EMU_PAIR(__vmaxu, false, a < b ? b : a)
IRGL_EMU_PAIR(__vmins, true, b < a ? b : a)
IRGL_EMU_PAIR(__vminu, false, b < a ? b : a)
IRGL_EMU_ONE(__vneg, -a)
IRGL_EMU_ONE(__vnegss, IRGL_EMU_HELD(-a))
IRGL_EMU_ONE(__vabs, a < 0 ? -a : a)
IRGL_EMU_ONE(__vabsss, IRGL_EMU_HELD(a < 0 ? -a : a))
#define IRGL_EMU_COMPARE(name, is_signed, sign)              \
  IRGL_EMU_PAIR(__vset##name, is_signed, a sign b)           \
  IRGL_EMU_PAIR(__vcmp##name, is_signed, a sign b ? -1 : 0)
IRGL_EMU_COMPARE(eq, false, ==)
IRGL_EMU_COMPARE(ne, false, !=)
IRGL_EMU_COMPARE(ges, true, >=)
IRGL_EMU_COMPARE(geu, false, >=)
IRGL_EMU_COMPARE(gts, true, >)
IRGL_EMU_COMPARE(gtu, false, >)
IRGL_EMU_COMPARE(les, true, <=)
IRGL_EMU_COMPARE(leu, false, <=)
IRGL_EMU_COMPARE(lts, true, <)
IRGL_EMU_COMPARE(ltu, false, <)
#undef IRGL_EMU_COMPARE
#undef IRGL_EMU_HELD
#undef IRGL_EMU_ONE
#undef IRGL_EMU_PAIR
#undef IRGL_EMU_FIELDS
#define IRGL_EMU_SUM(name, bits, difference)               \
  IRGL_EMU_INLINE unsigned name(unsigned a, unsigned b) {  \
    const unsigned d = difference(a, b);                   \
    unsigned r = 0;                                        \
    for (int i = 0; i < 32; i += bits) {                   \
      r += (unsigned)irgl_emu::field<bits, false>(d, i);   \
    }                                                      \
    return r;                                              \
  }
IRGL_EMU_SUM(__vsads2, 16, __vabsdiffs2)
IRGL_EMU_SUM(__vsads4, 8, __vabsdiffs4)
IRGL_EMU_SUM(__vsadu2, 16, __vabsdiffu2)
IRGL_EMU_SUM(__vsadu4, 8, __vabsdiffu4)
#undef IRGL_EMU_SUM

IRGL_EMU_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
IRGL_EMU_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
IRGL_EMU_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
IRGL_EMU_INLINE unsigned __urhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
IRGL_EMU_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
  return by >= 32 ? low : __funnelshift_l(low, high, by);
}
IRGL_EMU_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
  return by >= 32 ? high : __funnelshift_r(low, high, by);
}
// The place of the n-th set bit from `base` on, upwards, or downwards for a negative n.
IRGL_EMU_INLINE unsigned __fns(unsigned mask, unsigned base, int n) {
  const int step = n < 0 ? -1 : 1;
  int left = n < 0 ? -n : n;
  for (int i = (int)base; i >= 0 && i < 32; i += step) {
    const bool is_set = (mask >> i & 1) != 0;
    if (n == 0) return is_set ? base : 0xffffffffu;
    if (is_set && --left == 0) return (unsigned)i;
  }
  return 0xffffffffu;
}

// Two products of 16 bits in `a` and the lower or upper two bytes of `b`, added.
#define IRGL_EMU_DOT(name, T, is_signed, first)                                     \
  IRGL_EMU_INLINE T name(T a, T b, T c) {                                           \
    unsigned r = (unsigned)c;                                                       \
    for (int i = 0; i < 2; i++) {                                                   \
      r += (unsigned)(irgl_emu::field<16, is_signed>((unsigned)a, 16 * i) *         \
                      irgl_emu::field<8, is_signed>((unsigned)b, first + 8 * i));   \
    }                                                                               \
    return (T)r;                                                                    \
  }
IRGL_EMU_DOT(__dp2a_lo, int, true, 0)
IRGL_EMU_DOT(__dp2a_lo, unsigned, false, 0)
IRGL_EMU_DOT(__dp2a_hi, int, true, 16)
IRGL_EMU_DOT(__dp2a_hi, unsigned, false, 16)
#undef IRGL_EMU_DOT

extern "C" int irgl_emu_space(const void* p);
IRGL_EMU_INLINE unsigned __isGlobal(const void* p) { return irgl_emu_space(p) == 1; }
IRGL_EMU_INLINE unsigned __isShared(const void* p) { return irgl_emu_space(p) == 2; }
IRGL_EMU_INLINE unsigned __isLocal(const void* p) { return irgl_emu_space(p) == 3; }
#define __builtin_assume(what) ((void)0)
IRGL_EMU_INLINE void __brkpt() { irgl_emu_trap(); }
