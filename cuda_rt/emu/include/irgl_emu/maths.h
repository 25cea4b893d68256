// Functions of CUDA's mathematics that the C library has not.
#pragma once
#include <math.h>
#include <time.h>

#include "types.h"

extern "C" {
double sinpi(double x) noexcept;
double cospi(double x) noexcept;
double rcbrt(double x) noexcept;
double rhypot(double x, double y) noexcept;
double norm3d(double x, double y, double z) noexcept;
double norm4d(double x, double y, double z, double w) noexcept;
double erfinv(double y) noexcept;
double erfcinv(double y) noexcept;
double erfcx(double x) noexcept;
double normcdf(double x) noexcept;
double normcdfinv(double y) noexcept;
double cyl_bessel_i0(double x) noexcept;
double cyl_bessel_i1(double x) noexcept;
}

#define IRGL_EMU_FLOAT(name)                                          \
  IRGL_EMU_INLINE float name##f(float x) { return (float)name(x); }   \
  IRGL_EMU_INLINE float name(float x) { return (float)name((double)x); }
#define IRGL_EMU_LIBRARY extern "C" inline __attribute__((gnu_inline, always_inline))
IRGL_EMU_LIBRARY float sinpif(float x) noexcept { return (float)sinpi((double)x); }
IRGL_EMU_LIBRARY float cospif(float x) noexcept { return (float)cospi((double)x); }
IRGL_EMU_LIBRARY float __tanf(float x) noexcept { return __builtin_tanf(x); }
IRGL_EMU_LIBRARY float __tanhf(float x) noexcept { return __builtin_tanhf(x); }
IRGL_EMU_LIBRARY float __log10f(float x) noexcept { return __builtin_log10f(x); }
IRGL_EMU_LIBRARY float __exp10f(float x) noexcept { return __builtin_powf(10, x); }
IRGL_EMU_LIBRARY void __sincosf(float x, float* s, float* c) noexcept {
  *s = __builtin_sinf(x);
  *c = __builtin_cosf(x);
}
#undef IRGL_EMU_LIBRARY
IRGL_EMU_INLINE float sinpi(float x) { return (float)sinpi((double)x); }
IRGL_EMU_INLINE float cospi(float x) { return (float)cospi((double)x); }
IRGL_EMU_INLINE float rsqrt(float x) { return rsqrtf(x); }
IRGL_EMU_FLOAT(rcbrt)
IRGL_EMU_FLOAT(erfinv)
IRGL_EMU_FLOAT(erfcinv)
IRGL_EMU_FLOAT(erfcx)
IRGL_EMU_FLOAT(normcdf)
IRGL_EMU_FLOAT(normcdfinv)
IRGL_EMU_FLOAT(cyl_bessel_i0)
IRGL_EMU_FLOAT(cyl_bessel_i1)
#undef IRGL_EMU_FLOAT
IRGL_EMU_INLINE float rhypotf(float x, float y) { return (float)rhypot(x, y); }
IRGL_EMU_INLINE float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
IRGL_EMU_INLINE float norm4df(float x, float y, float z, float w) { return (float)norm4d(x, y, z, w); }
IRGL_EMU_INLINE double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
IRGL_EMU_INLINE double rnorm4d(double x, double y, double z, double w) { return 1 / norm4d(x, y, z, w); }
IRGL_EMU_INLINE float rnorm3df(float x, float y, float z) { return (float)rnorm3d(x, y, z); }
IRGL_EMU_INLINE float rnorm4df(float x, float y, float z, float w) { return (float)rnorm4d(x, y, z, w); }
#define IRGL_EMU_NORM(name, T, what)                     \
  IRGL_EMU_INLINE T name(int dim, const T* p) {          \
    double r = 0;                                        \
    for (int i = 0; i < dim; i++) r = ::hypot(r, p[i]);  \
    return (T)(what);                                    \
  }
IRGL_EMU_NORM(norm, double, r)
IRGL_EMU_NORM(normf, float, r)
IRGL_EMU_NORM(rnorm, double, 1 / r)
IRGL_EMU_NORM(rnormf, float, 1 / r)
#undef IRGL_EMU_NORM
#define IRGL_EMU_BOTH(name, T)                              \
  IRGL_EMU_INLINE void name(T x, T* s, T* c) {              \
    *s = (T)sinpi((double)x);                               \
    *c = (T)cospi((double)x);                               \
  }
IRGL_EMU_BOTH(sincospi, double)
IRGL_EMU_BOTH(sincospi, float)
IRGL_EMU_BOTH(sincospif, float)
#undef IRGL_EMU_BOTH
IRGL_EMU_INLINE float fdividef(float a, float b) { return a / b; }
IRGL_EMU_INLINE unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
IRGL_EMU_INLINE unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
IRGL_EMU_INLINE long long llmin(long long a, long long b) { return b < a ? b : a; }
IRGL_EMU_INLINE long long llmax(long long a, long long b) { return a < b ? b : a; }
IRGL_EMU_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
IRGL_EMU_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
