// Conversions with the rounding that their names say, and pairs taken apart and put together.
#define IRGL_EMU_ROUNDED(mode, number)                                      \
  IRGL_EMU_INLINE IRGL_EMU_H IRGL_EMU_NAME(__float2, mode)(const float v) { \
    return irgl_emu::made<IRGL_EMU_H>(number, v);                           \
  }                                                                         \
  IRGL_EMU_WHOLE(int, int, long, mode, number)                              \
  IRGL_EMU_WHOLE(uint, unsigned, long, mode, number)                        \
  IRGL_EMU_WHOLE(short, short, long, mode, number)                          \
  IRGL_EMU_WHOLE(ushort, unsigned short, long, mode, number)                \
  IRGL_EMU_WHOLE(ll, long long, long, mode, number)                         \
  IRGL_EMU_WHOLE(ull, unsigned long long, ulong, mode, number)
#define IRGL_EMU_WHOLE(name, T, by, mode, number)                            \
  IRGL_EMU_INLINE IRGL_EMU_H IRGL_EMU_NAME(__##name##2, mode)(const T v) {   \
    return IRGL_EMU_RAW{irgl_emu_small_of_##by(IRGL_EMU_FORMAT, number, v)}; \
  }                                                                          \
  IRGL_EMU_INLINE T IRGL_EMU_NAME(__, 2##name##mode)(const IRGL_EMU_H v) {   \
    const float f = irgl_emu::wide(v);                                       \
    return irgl_emu::fit<T>(number == 0   ? __builtin_rintf(f)               \
                            : number == 1 ? __builtin_truncf(f)              \
                            : number == 2 ? __builtin_ceilf(f)               \
                                          : __builtin_floorf(f));            \
  }
IRGL_EMU_ROUNDED(_rn, 0)
IRGL_EMU_ROUNDED(_rz, 1)
IRGL_EMU_ROUNDED(_ru, 2)
IRGL_EMU_ROUNDED(_rd, 3)
#undef IRGL_EMU_WHOLE
#undef IRGL_EMU_ROUNDED
IRGL_EMU_INLINE signed char IRGL_EMU_NAME(__, 2char_rz)(const IRGL_EMU_H v) {
  return irgl_emu::fit<signed char>(irgl_emu::wide(v));
}
IRGL_EMU_INLINE unsigned char IRGL_EMU_NAME(__, 2uchar_rz)(const IRGL_EMU_H v) {
  return irgl_emu::fit<unsigned char>(irgl_emu::wide(v));
}
IRGL_EMU_INLINE IRGL_EMU_H IRGL_EMU_NAME(__float2, )(const float v) { return irgl_emu::made<IRGL_EMU_H>(0, v); }
IRGL_EMU_INLINE IRGL_EMU_H IRGL_EMU_NAME(__double2, )(const double v) { return irgl_emu::made<IRGL_EMU_H>(0, v); }
IRGL_EMU_INLINE float IRGL_EMU_NAME(__, 2float)(const IRGL_EMU_H v) { return irgl_emu::wide(v); }

IRGL_EMU_INLINE short IRGL_EMU_NAME(__, _as_short)(const IRGL_EMU_H v) { return (short)irgl_emu::bits_of(v); }
IRGL_EMU_INLINE unsigned short IRGL_EMU_NAME(__, _as_ushort)(const IRGL_EMU_H v) { return irgl_emu::bits_of(v); }
IRGL_EMU_INLINE IRGL_EMU_H IRGL_EMU_NAME(__short_as_, )(const short v) { return IRGL_EMU_RAW{(unsigned short)v}; }
IRGL_EMU_INLINE IRGL_EMU_H IRGL_EMU_NAME(__ushort_as_, )(const unsigned short v) { return IRGL_EMU_RAW{v}; }

// Pairs: x is the low one.
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(make_, 2)(const IRGL_EMU_H x, const IRGL_EMU_H y) { return {x, y}; }
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(__halves2, 2)(const IRGL_EMU_H a, const IRGL_EMU_H b) { return {a, b}; }
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(__float2, 2_rn)(const float v) {
  const IRGL_EMU_H r = irgl_emu::made<IRGL_EMU_H>(0, v);
  return {r, r};
}
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(__floats2, 2_rn)(const float a, const float b) {
  return {irgl_emu::made<IRGL_EMU_H>(0, a), irgl_emu::made<IRGL_EMU_H>(0, b)};
}
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(__float22, 2_rn)(const float2 v) {
  return {irgl_emu::made<IRGL_EMU_H>(0, v.x), irgl_emu::made<IRGL_EMU_H>(0, v.y)};
}
IRGL_EMU_INLINE float2 IRGL_EMU_NAME(__, 22float2)(const IRGL_EMU_H2 v) {
  return {irgl_emu::wide(v.x), irgl_emu::wide(v.y)};
}
IRGL_EMU_INLINE float __low2float(const IRGL_EMU_H2 v) { return irgl_emu::wide(v.x); }
IRGL_EMU_INLINE float __high2float(const IRGL_EMU_H2 v) { return irgl_emu::wide(v.y); }
IRGL_EMU_INLINE IRGL_EMU_H IRGL_EMU_NAME(__low2, )(const IRGL_EMU_H2 v) { return v.x; }
IRGL_EMU_INLINE IRGL_EMU_H IRGL_EMU_NAME(__high2, )(const IRGL_EMU_H2 v) { return v.y; }
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(__low2, 2)(const IRGL_EMU_H2 v) { return {v.x, v.x}; }
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(__high2, 2)(const IRGL_EMU_H2 v) { return {v.y, v.y}; }
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(__lows2, 2)(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b) { return {a.x, b.x}; }
IRGL_EMU_INLINE IRGL_EMU_H2 IRGL_EMU_NAME(__highs2, 2)(const IRGL_EMU_H2 a, const IRGL_EMU_H2 b) { return {a.y, b.y}; }
IRGL_EMU_INLINE IRGL_EMU_H2 __lowhigh2highlow(const IRGL_EMU_H2 v) { return {v.y, v.x}; }
#if IRGL_EMU_FORMAT == 0
IRGL_EMU_INLINE __half2 __half2half2(const __half v) { return {v, v}; }
#else
IRGL_EMU_INLINE __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 v) { return {v, v}; }
#endif
