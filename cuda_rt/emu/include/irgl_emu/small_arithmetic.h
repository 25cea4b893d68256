// Arithmetic, rounded to the nearest: for one number, and for both of a pair.
#define IRGL_EMU_TWO(one, both, op)                                            \
  IRGL_EMU_INLINE IRGL_EMU_H one(const IRGL_EMU_H a, const IRGL_EMU_H b) {     \
    return irgl_emu::small(op, a, b, b);                                       \
  }                                                                            \
  IRGL_EMU_INLINE IRGL_EMU_H2 both(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b) { \
    return {one(a.x, b.x), one(a.y, b.y)};                                     \
  }
#define IRGL_EMU_THREE(one, both, how)                                                              \
  IRGL_EMU_INLINE IRGL_EMU_H one(const IRGL_EMU_H a, const IRGL_EMU_H b, const IRGL_EMU_H c) {      \
    return how(irgl_emu::small(IRGL_SMALL_FMA, a, b, c));                                           \
  }                                                                                                 \
  IRGL_EMU_INLINE IRGL_EMU_H2 both(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b, const IRGL_EMU_H2 c) { \
    return {one(a.x, b.x, c.x), one(a.y, b.y, c.y)};                                                \
  }
// Between 0 and 1, and 0 for no number.
#define IRGL_EMU_SATURATED(name, of)                                                  \
  IRGL_EMU_INLINE IRGL_EMU_H name##_sat(const IRGL_EMU_H a, const IRGL_EMU_H b) {     \
    return irgl_emu::saturated(of(a, b));                                             \
  }                                                                                   \
  IRGL_EMU_INLINE IRGL_EMU_H2 name##2_sat(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b) { \
    return {name##_sat(a.x, b.x), name##_sat(a.y, b.y)};                              \
  }

namespace irgl_emu {
IRGL_EMU_INLINE IRGL_EMU_H saturated(IRGL_EMU_H v) {
  const IRGL_EMU_H zero = IRGL_EMU_RAW{0}, one = IRGL_EMU_RAW{IRGL_EMU_ONE}, r = small(IRGL_SMALL_MAX, v, zero, zero);
  return small(IRGL_SMALL_MIN, r, one, one);
}
IRGL_EMU_INLINE IRGL_EMU_H at_least_0(IRGL_EMU_H v) {  // or no number
  const IRGL_EMU_H zero = IRGL_EMU_RAW{0};
  return small(IRGL_SMALL_MAX_NAN, v, zero, zero);
}
}  // namespace irgl_emu

IRGL_EMU_TWO(__hadd, __hadd2, IRGL_SMALL_ADD)
IRGL_EMU_TWO(__hsub, __hsub2, IRGL_SMALL_SUB)
IRGL_EMU_TWO(__hmul, __hmul2, IRGL_SMALL_MUL)
IRGL_EMU_TWO(__hadd_rn, __hadd2_rn, IRGL_SMALL_ADD)
IRGL_EMU_TWO(__hsub_rn, __hsub2_rn, IRGL_SMALL_SUB)
IRGL_EMU_TWO(__hmul_rn, __hmul2_rn, IRGL_SMALL_MUL)
IRGL_EMU_TWO(__hdiv, __h2div, IRGL_SMALL_DIV)
IRGL_EMU_TWO(__hmax, __hmax2, IRGL_SMALL_MAX)
IRGL_EMU_TWO(__hmin, __hmin2, IRGL_SMALL_MIN)
IRGL_EMU_TWO(__hmax_nan, __hmax2_nan, IRGL_SMALL_MAX_NAN)
IRGL_EMU_TWO(__hmin_nan, __hmin2_nan, IRGL_SMALL_MIN_NAN)
IRGL_EMU_SATURATED(__hadd, __hadd)
IRGL_EMU_SATURATED(__hsub, __hsub)
IRGL_EMU_SATURATED(__hmul, __hmul)
IRGL_EMU_THREE(__hfma, __hfma2, )
IRGL_EMU_THREE(__hfma_sat, __hfma2_sat, irgl_emu::saturated)
IRGL_EMU_THREE(__hfma_relu, __hfma2_relu, irgl_emu::at_least_0)
#undef IRGL_EMU_TWO
#undef IRGL_EMU_THREE
#undef IRGL_EMU_SATURATED

// a * b + c for complex numbers: x is the real part.
IRGL_EMU_INLINE IRGL_EMU_H2 __hcmadd(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b, const IRGL_EMU_H2 c) {
  const IRGL_EMU_H minus = irgl_emu::small(IRGL_SMALL_NEG, a.y, a.y, a.y);
  return {__hfma(minus, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
