// Comparisons. Each has a form that is false where something is no number, and one, with a u, that is true there.
#define IRGL_EMU_PAIRS(name)                                                                    \
  IRGL_EMU_INLINE IRGL_EMU_H2 __h##name##2(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b) {          \
    return {IRGL_EMU_RAW{(unsigned short)(__h##name(a.x, b.x) * IRGL_EMU_ONE)},                 \
            IRGL_EMU_RAW{(unsigned short)(__h##name(a.y, b.y) * IRGL_EMU_ONE)}};                \
  }                                                                                             \
  IRGL_EMU_INLINE unsigned __h##name##2_mask(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b) {        \
    return __h##name(a.x, b.x) * 0xffffu | __h##name(a.y, b.y) * 0xffff0000u;                   \
  }                                                                                             \
  IRGL_EMU_INLINE bool __hb##name##2(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b) { /* for both */ \
    return __h##name(a.x, b.x) & __h##name(a.y, b.y);                                           \
  }
#define IRGL_EMU_COMPARE(name, sign, opposite)                                \
  IRGL_EMU_INLINE bool __h##name(const IRGL_EMU_H a, const IRGL_EMU_H b) {    \
    return irgl_emu::wide(a) sign irgl_emu::wide(b);                          \
  }                                                                           \
  IRGL_EMU_INLINE bool __h##name##u(const IRGL_EMU_H a, const IRGL_EMU_H b) { \
    return !(irgl_emu::wide(a) opposite irgl_emu::wide(b));                   \
  }                                                                           \
  IRGL_EMU_PAIRS(name)                                                        \
  IRGL_EMU_PAIRS(name##u)
IRGL_EMU_COMPARE(lt, <, >=)
IRGL_EMU_COMPARE(le, <=, >)
IRGL_EMU_COMPARE(gt, >, <=)
IRGL_EMU_COMPARE(ge, >=, <)
#undef IRGL_EMU_COMPARE
IRGL_EMU_INLINE bool __heq(const IRGL_EMU_H a, const IRGL_EMU_H b) { return irgl_emu::wide(a) == irgl_emu::wide(b); }
IRGL_EMU_INLINE bool __hneu(const IRGL_EMU_H a, const IRGL_EMU_H b) { return irgl_emu::wide(a) != irgl_emu::wide(b); }
IRGL_EMU_INLINE bool __hne(const IRGL_EMU_H a, const IRGL_EMU_H b) { return __hlt(a, b) | __hgt(a, b); }
IRGL_EMU_INLINE bool __hequ(const IRGL_EMU_H a, const IRGL_EMU_H b) { return !__hne(a, b); }
IRGL_EMU_PAIRS(eq)
IRGL_EMU_PAIRS(equ)
IRGL_EMU_PAIRS(ne)
IRGL_EMU_PAIRS(neu)
#undef IRGL_EMU_PAIRS
IRGL_EMU_INLINE bool __hisnan(const IRGL_EMU_H v) { return __hneu(v, v); }
IRGL_EMU_INLINE IRGL_EMU_H2 __hisnan2(const IRGL_EMU_H2 v) { return __hneu2(v, v); }
IRGL_EMU_INLINE int __hisinf(const IRGL_EMU_H v) {
  const float f = irgl_emu::wide(v);
  return (f == __builtin_inff()) - (f == -__builtin_inff());
}
