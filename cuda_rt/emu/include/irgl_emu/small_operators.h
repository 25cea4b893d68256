// Operators. A pair compares as a whole: all of them, != too, hold where they hold for both of its numbers.
#define IRGL_EMU_SIGN(T, sign, name)                                             \
  IRGL_EMU_ALWAYS T operator sign(const T& a, const T& b) { return name(a, b); } \
  IRGL_EMU_ALWAYS T& operator sign##=(T& a, const T& b) { return a = name(a, b); }
#define IRGL_EMU_STEP(T, sign, name, one)                                   \
  IRGL_EMU_ALWAYS T& operator sign##sign(T& v) { return v = name(v, one); } \
  IRGL_EMU_ALWAYS T operator sign##sign(T& v, const int) {                  \
    const T was = v;                                                        \
    v = name(v, one);                                                       \
    return was;                                                             \
  }
#define IRGL_EMU_COMPARE(T, sign, name) \
  IRGL_EMU_ALWAYS bool operator sign(const T& a, const T& b) { return name(a, b); }
#define IRGL_EMU_PLUS(T, minus)                         \
  IRGL_EMU_ALWAYS T operator+(const T& v) { return v; } \
  IRGL_EMU_ALWAYS T operator-(const T& v) { return minus(v); }

#ifdef IRGL_EMU_OPERATORS
IRGL_EMU_SIGN(IRGL_EMU_H, +, __hadd)
IRGL_EMU_SIGN(IRGL_EMU_H, -, __hsub)
IRGL_EMU_SIGN(IRGL_EMU_H, *, __hmul)
IRGL_EMU_SIGN(IRGL_EMU_H, /, __hdiv)
IRGL_EMU_STEP(IRGL_EMU_H, +, __hadd, IRGL_EMU_RAW{IRGL_EMU_ONE})
IRGL_EMU_STEP(IRGL_EMU_H, -, __hsub, IRGL_EMU_RAW{IRGL_EMU_ONE})
IRGL_EMU_PLUS(IRGL_EMU_H, __hneg)
IRGL_EMU_COMPARE(IRGL_EMU_H, ==, __heq)
IRGL_EMU_COMPARE(IRGL_EMU_H, !=, __hneu)
IRGL_EMU_COMPARE(IRGL_EMU_H, <, __hlt)
IRGL_EMU_COMPARE(IRGL_EMU_H, <=, __hle)
IRGL_EMU_COMPARE(IRGL_EMU_H, >, __hgt)
IRGL_EMU_COMPARE(IRGL_EMU_H, >=, __hge)
#endif
#ifdef IRGL_EMU_OPERATORS2
IRGL_EMU_SIGN(IRGL_EMU_H2, +, __hadd2)
IRGL_EMU_SIGN(IRGL_EMU_H2, -, __hsub2)
IRGL_EMU_SIGN(IRGL_EMU_H2, *, __hmul2)
IRGL_EMU_SIGN(IRGL_EMU_H2, /, __h2div)
IRGL_EMU_STEP(IRGL_EMU_H2, +, __hadd2, (IRGL_EMU_RAW2{IRGL_EMU_ONE, IRGL_EMU_ONE}))
IRGL_EMU_STEP(IRGL_EMU_H2, -, __hsub2, (IRGL_EMU_RAW2{IRGL_EMU_ONE, IRGL_EMU_ONE}))
IRGL_EMU_PLUS(IRGL_EMU_H2, __hneg2)
IRGL_EMU_COMPARE(IRGL_EMU_H2, ==, __hbeq2)
IRGL_EMU_COMPARE(IRGL_EMU_H2, !=, __hbneu2)
IRGL_EMU_COMPARE(IRGL_EMU_H2, <, __hblt2)
IRGL_EMU_COMPARE(IRGL_EMU_H2, <=, __hble2)
IRGL_EMU_COMPARE(IRGL_EMU_H2, >, __hbgt2)
IRGL_EMU_COMPARE(IRGL_EMU_H2, >=, __hbge2)
#endif
#undef IRGL_EMU_SIGN
#undef IRGL_EMU_STEP
#undef IRGL_EMU_COMPARE
#undef IRGL_EMU_PLUS
