// Conversions between numbers, and arithmetic, with the rounding that their names say.
#pragma once
#include "warp.h"

extern "C" {
// op: 0 to 5 for + - * / fma sqrt; mode: 0 to 3 for nearest, zero, up, down.
float irgl_emu_float(int op, int mode, float a, float b, float c);
double irgl_emu_double(int op, int mode, double a, double b, double c);
float irgl_emu_float_of_double(int mode, double v);
float irgl_emu_float_of_long(int mode, long v);
float irgl_emu_float_of_ulong(int mode, unsigned long v);
double irgl_emu_double_of_long(int mode, long v);
double irgl_emu_double_of_ulong(int mode, unsigned long v);
}

namespace irgl_emu {
// To a whole number: the nearest that there is, and for no number what a GPU gives.
template <class To, class From>
IRGL_EMU_INLINE To whole(From v) {
  constexpr int bits = 8 * sizeof(To) - (To(-1) < To(0) ? 1 : 0);
  constexpr From end = (From)(1ull << (bits - 1)) * 2;
  if (v != v) return sizeof(To) == 4 && sizeof(From) == 4 ? To(0) : (To)(1ull << (8 * sizeof(To) - 1));
  if (v >= end) return (To) ~(To(-1) < To(0) ? (To)(1ull << bits % 64) : To(0));
  if (v <= (To(-1) < To(0) ? -end : From(0))) return To(-1) < To(0) ? (To)(1ull << bits % 64) : To(0);
  return (To)v;
}
}  // namespace irgl_emu

#define IRGL_EMU_WHOLE(name, From, To)                                                                            \
  IRGL_EMU_INLINE To name##_rn(From v) { return irgl_emu::whole<To, From>(sizeof v == 4 ? __builtin_rintf(v)      \
                                                                                        : __builtin_rint(v)); }   \
  IRGL_EMU_INLINE To name##_rz(From v) { return irgl_emu::whole<To, From>(v); }                                   \
  IRGL_EMU_INLINE To name##_ru(From v) { return irgl_emu::whole<To, From>(__builtin_ceil(v)); }                   \
  IRGL_EMU_INLINE To name##_rd(From v) { return irgl_emu::whole<To, From>(__builtin_floor(v)); }
IRGL_EMU_WHOLE(__float2int, float, int)
IRGL_EMU_WHOLE(__float2uint, float, unsigned)
IRGL_EMU_WHOLE(__float2ll, float, long long)
IRGL_EMU_WHOLE(__float2ull, float, unsigned long long)
IRGL_EMU_WHOLE(__double2int, double, int)
IRGL_EMU_WHOLE(__double2uint, double, unsigned)
IRGL_EMU_WHOLE(__double2ll, double, long long)
IRGL_EMU_WHOLE(__double2ull, double, unsigned long long)
#undef IRGL_EMU_WHOLE

#define IRGL_EMU_REAL(name, From, To, by)                                   \
  IRGL_EMU_INLINE To name##_rn(From v) { return (To)v; }                    \
  IRGL_EMU_INLINE To name##_rz(From v) { return irgl_emu_##by(1, v); }      \
  IRGL_EMU_INLINE To name##_ru(From v) { return irgl_emu_##by(2, v); }      \
  IRGL_EMU_INLINE To name##_rd(From v) { return irgl_emu_##by(3, v); }
IRGL_EMU_REAL(__double2float, double, float, float_of_double)
IRGL_EMU_REAL(__int2float, int, float, float_of_long)
IRGL_EMU_REAL(__uint2float, unsigned, float, float_of_long)
IRGL_EMU_REAL(__ll2float, long long, float, float_of_long)
IRGL_EMU_REAL(__ull2float, unsigned long long, float, float_of_ulong)
IRGL_EMU_REAL(__ll2double, long long, double, double_of_long)
IRGL_EMU_REAL(__ull2double, unsigned long long, double, double_of_ulong)
#undef IRGL_EMU_REAL
IRGL_EMU_INLINE double __int2double_rn(int v) { return v; }
IRGL_EMU_INLINE double __uint2double_rn(unsigned v) { return v; }

IRGL_EMU_INLINE int __float_as_int(float v) { return irgl_emu::unpack<int>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE unsigned __float_as_uint(float v) { return irgl_emu::unpack<unsigned>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE float __int_as_float(int v) { return irgl_emu::unpack<float>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE float __uint_as_float(unsigned v) { return irgl_emu::unpack<float>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE long long __double_as_longlong(double v) { return irgl_emu::unpack<long long>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE double __longlong_as_double(long long v) { return irgl_emu::unpack<double>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE int __double2hiint(double v) { return (int)(irgl_emu::pack(v) >> 32); }
IRGL_EMU_INLINE int __double2loint(double v) { return (int)irgl_emu::pack(v); }
IRGL_EMU_INLINE double __hiloint2double(int high, int low) {
  return irgl_emu::unpack<double>((unsigned long)(unsigned)high << 32 | (unsigned)low);
}

#define IRGL_EMU_PAIR(name, T, by, op, sign)                                                  \
  IRGL_EMU_INLINE T name##_rn(T a, T b) { return a sign b; }                                  \
  IRGL_EMU_INLINE T name##_rz(T a, T b) { return irgl_emu_##by(op, 1, a, b, 0); }             \
  IRGL_EMU_INLINE T name##_ru(T a, T b) { return irgl_emu_##by(op, 2, a, b, 0); }             \
  IRGL_EMU_INLINE T name##_rd(T a, T b) { return irgl_emu_##by(op, 3, a, b, 0); }
IRGL_EMU_PAIR(__fadd, float, float, 0, +)
IRGL_EMU_PAIR(__fsub, float, float, 1, -)
IRGL_EMU_PAIR(__fmul, float, float, 2, *)
IRGL_EMU_PAIR(__fdiv, float, float, 3, /)
IRGL_EMU_PAIR(__dadd, double, double, 0, +)
IRGL_EMU_PAIR(__dsub, double, double, 1, -)
IRGL_EMU_PAIR(__dmul, double, double, 2, *)
IRGL_EMU_PAIR(__ddiv, double, double, 3, /)
#undef IRGL_EMU_PAIR
#define IRGL_EMU_ROUNDED(mode, number)                                                                        \
  IRGL_EMU_INLINE float __fmaf_##mode(float a, float b, float c) { return irgl_emu_float(4, number, a, b, c); } \
  IRGL_EMU_INLINE double __fma_##mode(double a, double b, double c) { return irgl_emu_double(4, number, a, b, c); } \
  IRGL_EMU_INLINE float __fsqrt_##mode(float v) { return irgl_emu_float(5, number, v, 0, 0); }                \
  IRGL_EMU_INLINE double __dsqrt_##mode(double v) { return irgl_emu_double(5, number, v, 0, 0); }             \
  IRGL_EMU_INLINE float __frcp_##mode(float v) { return irgl_emu_float(3, number, 1, v, 0); }                 \
  IRGL_EMU_INLINE double __drcp_##mode(double v) { return irgl_emu_double(3, number, 1, v, 0); }
IRGL_EMU_ROUNDED(rn, 0)
IRGL_EMU_ROUNDED(rz, 1)
IRGL_EMU_ROUNDED(ru, 2)
IRGL_EMU_ROUNDED(rd, 3)
#undef IRGL_EMU_ROUNDED
IRGL_EMU_INLINE float __frsqrt_rn(float v) { return (float)(1 / __builtin_sqrt((double)v)); }
IRGL_EMU_INLINE float __fdividef(float a, float b) { return a / b; }
IRGL_EMU_INLINE float __saturatef(float v) { return v > 0 ? v > 1 ? 1 : v : 0; }
