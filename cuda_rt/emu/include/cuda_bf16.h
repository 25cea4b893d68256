// bfloat16: floats of 16 bits, 8 of them for the exponent, as a float has.
#pragma once
#include "cuda_fp16.h"

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#define IRGL_EMU_FORMAT 1
#define IRGL_EMU_H __nv_bfloat16
#define IRGL_EMU_H2 __nv_bfloat162
#define IRGL_EMU_RAW __nv_bfloat16_raw
#define IRGL_EMU_RAW2 __nv_bfloat162_raw
#define IRGL_EMU_OTHER __half
#define IRGL_EMU_ONE 0x3f80
#define IRGL_EMU_NAME(before, after) before##bfloat16##after
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define IRGL_EMU_CONVERSIONS
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#define IRGL_EMU_OPERATORS
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#define IRGL_EMU_OPERATORS2
#endif
#include "irgl_emu/small_all.h"

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

// Each makes the other one, by way of float.
#ifndef __CUDA_NO_HALF_CONVERSIONS__
inline __half::__half(const __nv_bfloat16 v) : __half(irgl_emu::made<__half>(0, irgl_emu::wide(v))) {}
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
inline __nv_bfloat16::__nv_bfloat16(const __half v)
    : __nv_bfloat16(irgl_emu::made<__nv_bfloat16>(0, irgl_emu::wide(v))) {}
#endif

#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
