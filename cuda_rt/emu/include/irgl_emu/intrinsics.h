// Integer and memory intrinsics, min and max.
#pragma once
#include "convert.h"
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
IRGL_EMU_INLINE void __stcs(T* p, typename irgl_emu::identity<T>::type v) {
  *p = v;
}
template <class T>
IRGL_EMU_INLINE void __stwb(T* p, typename irgl_emu::identity<T>::type v) {
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

IRGL_EMU_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 255) * (b >> i & 255);
  return c;
}
IRGL_EMU_INLINE int __dp4a(int a, int b, int c) {
  unsigned r = (unsigned)c;
  for (int i = 0; i < 32; i += 8) r += (unsigned)((signed char)(a >> i) * (signed char)(b >> i));
  return (int)r;
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
