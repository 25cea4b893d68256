// Complex numbers.
#pragma once
#include "cuda_runtime.h"
#include "irgl_emu/maths.h"

#define CU_COMPLEX_H_

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define IRGL_EMU_COMPLEX(C, T, make, f)                                                                      \
  IRGL_EMU_INLINE C make(T re, T im) { return {re, im}; }                                                    \
  IRGL_EMU_INLINE T cuCreal##f(C a) { return a.x; }                                                          \
  IRGL_EMU_INLINE T cuCimag##f(C a) { return a.y; }                                                          \
  IRGL_EMU_INLINE C cuConj##f(C a) { return {a.x, -a.y}; }                                                   \
  IRGL_EMU_INLINE C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                                   \
  IRGL_EMU_INLINE C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                                   \
  IRGL_EMU_INLINE C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }           \
  IRGL_EMU_INLINE C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }                       \
  IRGL_EMU_INLINE T cuCabs##f(C a) { return (T)::hypot((double)a.x, (double)a.y); }                          \
  IRGL_EMU_INLINE C cuCdiv##f(C a, C b) { /* by the larger part of b first: nothing grows too large */       \
    const bool turned = ::fabs((double)b.x) < ::fabs((double)b.y);                                           \
    const T r = turned ? b.x / b.y : b.y / b.x, d = turned ? b.y + r * b.x : b.x + r * b.y;                  \
    return turned ? C{(a.x * r + a.y) / d, (a.y * r - a.x) / d} : C{(a.x + a.y * r) / d, (a.y - a.x * r) / d}; \
  }
IRGL_EMU_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f)
IRGL_EMU_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, )
#undef IRGL_EMU_COMPLEX
IRGL_EMU_INLINE cuComplex make_cuComplex(float re, float im) { return {re, im}; }
IRGL_EMU_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
IRGL_EMU_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {(float)a.x, (float)a.y}; }
