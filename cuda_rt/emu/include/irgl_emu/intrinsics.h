// Integer and memory intrinsics, min and max.
#pragma once
#include "launch.h"
#include "warp.h"

// Loads and stores that name their cache level are declared to race: the runtime treats them like volatile ones.
#define IRGL_EMU_LOAD(name)            \
  template <class T>                   \
  IRGL_EMU_INLINE T name(const T* p) { \
    T v;                               \
    irgl_emu_load(p, &v, sizeof v);    \
    return v;                          \
  }
IRGL_EMU_LOAD(__ldcg)
IRGL_EMU_LOAD(__ldcv)
#undef IRGL_EMU_LOAD
#define IRGL_EMU_STORE(name)                                                \
  template <class T>                                                        \
  IRGL_EMU_INLINE void name(T* p, typename irgl_emu::identity<T>::type v) { \
    irgl_emu_store(p, &v, sizeof v);                                        \
  }
IRGL_EMU_STORE(__stcg)
IRGL_EMU_STORE(__stwt)
#undef IRGL_EMU_STORE
// These promise nothing about other threads' writes: plain accesses.
template <class T>
IRGL_EMU_INLINE T __ldg(const T* p) {
  return *p;
}
template <class T>
IRGL_EMU_INLINE T __ldca(const T* p) {
  return *p;
}
template <class T>
IRGL_EMU_INLINE T __ldcs(const T* p) {
  return *p;
}
template <class T>
IRGL_EMU_INLINE T __ldlu(const T* p) {
  return *p;
}
template <class T>
IRGL_EMU_INLINE void __stcs(T* p, T v) {
  *p = v;
}
template <class T>
IRGL_EMU_INLINE void __stwb(T* p, T v) {
  *p = v;
}

IRGL_EMU_INLINE int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
IRGL_EMU_INLINE int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
IRGL_EMU_INLINE int __ffs(int v) { return __builtin_ffs(v); }
IRGL_EMU_INLINE int __ffsll(long long v) { return __builtin_ffsll(v); }
IRGL_EMU_INLINE int __popc(unsigned v) { return __builtin_popcount(v); }
IRGL_EMU_INLINE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
IRGL_EMU_INLINE unsigned __brev(unsigned v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(v);
}
IRGL_EMU_INLINE unsigned long long __brevll(unsigned long long v) {
  return (unsigned long long)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32));
}
IRGL_EMU_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
IRGL_EMU_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
IRGL_EMU_INLINE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
IRGL_EMU_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
IRGL_EMU_INLINE int __mul24(int a, int b) { return a * b; }
IRGL_EMU_INLINE unsigned __umul24(unsigned a, unsigned b) { return a * b; }
IRGL_EMU_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const unsigned long long both = (unsigned long long)b << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; i++) r |= (unsigned)(both >> (s >> 4 * i & 7) * 8 & 255) << 8 * i;
  return r;
}
IRGL_EMU_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return (unsigned)((((unsigned long long)hi << 32 | lo) << (s & 31)) >> 32);
}
IRGL_EMU_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) >> (s & 31));
}
IRGL_EMU_INLINE int __float_as_int(float v) { return irgl_emu::unpack<int>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE unsigned __float_as_uint(float v) { return irgl_emu::unpack<unsigned>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE float __int_as_float(int v) { return irgl_emu::unpack<float>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE float __uint_as_float(unsigned v) { return irgl_emu::unpack<float>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE long long __double_as_longlong(double v) { return irgl_emu::unpack<long long>(irgl_emu::pack(v)); }
IRGL_EMU_INLINE double __longlong_as_double(long long v) { return irgl_emu::unpack<double>(irgl_emu::pack(v)); }

#define IRGL_EMU_MINMAX(T)                                            \
  IRGL_EMU_INLINE constexpr T min(T a, T b) { return b < a ? b : a; } \
  IRGL_EMU_INLINE constexpr T max(T a, T b) { return a < b ? b : a; }
IRGL_EMU_MINMAX(int)
IRGL_EMU_MINMAX(unsigned)
IRGL_EMU_MINMAX(long)
IRGL_EMU_MINMAX(unsigned long)
IRGL_EMU_MINMAX(long long)
IRGL_EMU_MINMAX(unsigned long long)
#undef IRGL_EMU_MINMAX
#define IRGL_EMU_MINMAX(T, S)                                               \
  IRGL_EMU_INLINE constexpr T min(T a, S b) { return a < (T)b ? a : (T)b; } \
  IRGL_EMU_INLINE constexpr T min(S a, T b) { return (T)a < b ? (T)a : b; } \
  IRGL_EMU_INLINE constexpr T max(T a, S b) { return a > (T)b ? a : (T)b; } \
  IRGL_EMU_INLINE constexpr T max(S a, T b) { return (T)a > b ? (T)a : b; }
IRGL_EMU_MINMAX(unsigned, int)
IRGL_EMU_MINMAX(unsigned long, long)
IRGL_EMU_MINMAX(unsigned long long, long long)
IRGL_EMU_MINMAX(double, float)
#undef IRGL_EMU_MINMAX
IRGL_EMU_INLINE float min(float a, float b) { return __builtin_fminf(a, b); }
IRGL_EMU_INLINE float max(float a, float b) { return __builtin_fmaxf(a, b); }
IRGL_EMU_INLINE double min(double a, double b) { return __builtin_fmin(a, b); }
IRGL_EMU_INLINE double max(double a, double b) { return __builtin_fmax(a, b); }

// Conversions and fast math, with the host's rounding.
#define IRGL_EMU_CONVERT(name, from, to, how) \
  IRGL_EMU_INLINE to name(from v) { return (to)how; }
IRGL_EMU_CONVERT(__float2int_rz, float, int, v)
IRGL_EMU_CONVERT(__float2uint_rz, float, unsigned, v)
IRGL_EMU_CONVERT(__float2int_rn, float, int, __builtin_rintf(v))
IRGL_EMU_CONVERT(__float2int_rd, float, int, __builtin_floorf(v))
IRGL_EMU_CONVERT(__float2int_ru, float, int, __builtin_ceilf(v))
IRGL_EMU_CONVERT(__double2int_rz, double, int, v)
IRGL_EMU_CONVERT(__double2ll_rz, double, long long, v)
IRGL_EMU_CONVERT(__int2float_rn, int, float, v)
IRGL_EMU_CONVERT(__uint2float_rn, unsigned, float, v)
IRGL_EMU_CONVERT(__int2double_rn, int, double, v)
IRGL_EMU_CONVERT(__ll2double_rn, long long, double, v)
IRGL_EMU_CONVERT(__saturatef, float, float, (v < 0 ? 0 : v > 1 ? 1 : v))
IRGL_EMU_CONVERT(__fsqrt_rn, float, float, __builtin_sqrtf(v))
IRGL_EMU_CONVERT(__dsqrt_rn, double, double, __builtin_sqrt(v))
IRGL_EMU_CONVERT(__frcp_rn, float, float, 1 / v)
#undef IRGL_EMU_CONVERT
#define IRGL_EMU_BINARY(name, T, how) \
  IRGL_EMU_INLINE T name(T a, T b) { return how; }
IRGL_EMU_BINARY(__fdividef, float, a / b)
IRGL_EMU_BINARY(__fdiv_rn, float, a / b)
IRGL_EMU_BINARY(__ddiv_rn, double, a / b)
IRGL_EMU_BINARY(__fadd_rn, float, a + b)
IRGL_EMU_BINARY(__dadd_rn, double, a + b)
IRGL_EMU_BINARY(__fsub_rn, float, a - b)
IRGL_EMU_BINARY(__dsub_rn, double, a - b)
IRGL_EMU_BINARY(__fmul_rn, float, a* b)
IRGL_EMU_BINARY(__dmul_rn, double, a* b)
#undef IRGL_EMU_BINARY
IRGL_EMU_INLINE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
IRGL_EMU_INLINE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
IRGL_EMU_INLINE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) c += (signed char)(a >> i) * (signed char)(b >> i);
  return c;
}
IRGL_EMU_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 255) * (b >> i & 255);
  return c;
}
IRGL_EMU_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a < b ? b - a : a - b); }
IRGL_EMU_INLINE int __sad(int a, int b, unsigned c) { return (int)(c + (unsigned)(a < b ? b - a : a - b)); }

// Names that the C library has too, which may declare them again.
#define IRGL_EMU_LIBRARY extern "C" inline __attribute__((gnu_inline, always_inline))
IRGL_EMU_LIBRARY float __expf(float v) noexcept { return __builtin_expf(v); }
IRGL_EMU_LIBRARY float __logf(float v) noexcept { return __builtin_logf(v); }
IRGL_EMU_LIBRARY float __log2f(float v) noexcept { return __builtin_log2f(v); }
IRGL_EMU_LIBRARY float __sinf(float v) noexcept { return __builtin_sinf(v); }
IRGL_EMU_LIBRARY float __cosf(float v) noexcept { return __builtin_cosf(v); }
IRGL_EMU_LIBRARY float __powf(float a, float b) noexcept { return __builtin_powf(a, b); }
IRGL_EMU_LIBRARY float rsqrtf(float v) noexcept { return 1 / __builtin_sqrtf(v); }
IRGL_EMU_LIBRARY double rsqrt(double v) noexcept { return 1 / __builtin_sqrt(v); }
#undef IRGL_EMU_LIBRARY
