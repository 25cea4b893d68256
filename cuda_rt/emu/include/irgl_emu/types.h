// Built-in types and variables of CUDA C++.
#pragma once
#include <stddef.h>

#include "abi.h"

#ifndef IRGL_EMU_HOST  // of a program's C++ files
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __IRGL_EMU__ 1
// By which headers of programs know that CUDA's own were read before them, of which these are all names.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __HOST_DEFINES_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define __host__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__
#define CUDART_CB
#define CUDARTAPI
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define IRGL_EMU_INLINE static inline __attribute__((always_inline, unused))
#define IRGL_EMU_MEMBER inline __attribute__((always_inline))

#define IRGL_EMU_VECTOR(T, name, a1, a2, a4)                                  \
  struct name##1 { T x; };                                                    \
  struct __attribute__((aligned(a2))) name##2 { T x, y; };                    \
  struct name##3 { T x, y, z; };                                              \
  struct __attribute__((aligned(a4))) name##4 { T x, y, z, w; };              \
  IRGL_EMU_INLINE name##1 make_##name##1(T x) { return {x}; }                 \
  IRGL_EMU_INLINE name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  IRGL_EMU_INLINE name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  IRGL_EMU_INLINE name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
IRGL_EMU_VECTOR(signed char, char, 1, 2, 4)
IRGL_EMU_VECTOR(unsigned char, uchar, 1, 2, 4)
IRGL_EMU_VECTOR(short, short, 2, 4, 8)
IRGL_EMU_VECTOR(unsigned short, ushort, 2, 4, 8)
IRGL_EMU_VECTOR(int, int, 4, 8, 16)
IRGL_EMU_VECTOR(unsigned, uint, 4, 8, 16)
IRGL_EMU_VECTOR(long, long, 8, 16, 16)
IRGL_EMU_VECTOR(unsigned long, ulong, 8, 16, 16)
IRGL_EMU_VECTOR(long long, longlong, 8, 16, 16)
IRGL_EMU_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
IRGL_EMU_VECTOR(float, float, 4, 8, 16)
IRGL_EMU_VECTOR(double, double, 8, 16, 16)
#undef IRGL_EMU_VECTOR

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

#ifndef IRGL_EMU_RUNTIME
// Set at each switch between threads. They are const for the compiler too: no thread ever sees its own change, and so
// reading them is neither instrumented nor repeated.
extern "C" {
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
}
static constexpr int warpSize = 32;
#endif
