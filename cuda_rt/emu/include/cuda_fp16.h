// half: floats of 16 bits, 5 of them for the exponent.
#pragma once
#include "cuda_runtime.h"
#include "irgl_emu/small_float.h"

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#define IRGL_EMU_FORMAT 0
#define IRGL_EMU_H __half
#define IRGL_EMU_H2 __half2
#define IRGL_EMU_RAW __half_raw
#define IRGL_EMU_RAW2 __half2_raw
#define IRGL_EMU_OTHER __nv_bfloat16
#define IRGL_EMU_ONE 0x3c00
#define IRGL_EMU_NAME(before, after) before##half##after
#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define IRGL_EMU_CONVERSIONS
#endif
#ifndef __CUDA_NO_HALF_OPERATORS__
#define IRGL_EMU_OPERATORS
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#define IRGL_EMU_OPERATORS2
#endif
#include "irgl_emu/small_all.h"

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif
