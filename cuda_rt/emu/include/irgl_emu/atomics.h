// Atomic operations.
#pragma once
#include "warp.h"

#define IRGL_EMU_ATOMIC(name, op, T, type)                                          \
  IRGL_EMU_INLINE T name(volatile T* p, T v) {                                      \
    return irgl_emu::unpack<T>(irgl_emu_atomic(op, type, p, irgl_emu::pack(v), 0)); \
  }
#define IRGL_EMU_SCOPES(name, op, T, type)   \
  IRGL_EMU_ATOMIC(name, op, T, type)         \
  IRGL_EMU_ATOMIC(name##_block, op, T, type | IRGL_OF_BLOCK) \
  IRGL_EMU_ATOMIC(name##_system, op, T, type | IRGL_OF_SYSTEM)
#define IRGL_EMU_INT(name, op)                  \
  IRGL_EMU_SCOPES(name, op, int, IRGL_I32)      \
  IRGL_EMU_SCOPES(name, op, unsigned, IRGL_U32) \
  IRGL_EMU_SCOPES(name, op, unsigned long long, IRGL_U64)
#define IRGL_EMU_LONG(name, op) IRGL_EMU_SCOPES(name, op, long long, IRGL_I64)

IRGL_EMU_INT(atomicAdd, IRGL_ADD)
IRGL_EMU_SCOPES(atomicAdd, IRGL_ADD, float, IRGL_F32)
IRGL_EMU_SCOPES(atomicAdd, IRGL_ADD, double, IRGL_F64)
IRGL_EMU_SCOPES(atomicSub, IRGL_SUB, int, IRGL_I32)
IRGL_EMU_SCOPES(atomicSub, IRGL_SUB, unsigned, IRGL_U32)
IRGL_EMU_INT(atomicMin, IRGL_MIN)
IRGL_EMU_LONG(atomicMin, IRGL_MIN)
IRGL_EMU_INT(atomicMax, IRGL_MAX)
IRGL_EMU_LONG(atomicMax, IRGL_MAX)
IRGL_EMU_INT(atomicAnd, IRGL_AND)
IRGL_EMU_LONG(atomicAnd, IRGL_AND)
IRGL_EMU_INT(atomicOr, IRGL_OR)
IRGL_EMU_LONG(atomicOr, IRGL_OR)
IRGL_EMU_INT(atomicXor, IRGL_XOR)
IRGL_EMU_LONG(atomicXor, IRGL_XOR)
IRGL_EMU_INT(atomicExch, IRGL_EXCH)
IRGL_EMU_SCOPES(atomicExch, IRGL_EXCH, float, IRGL_F32)
IRGL_EMU_SCOPES(atomicInc, IRGL_INC, unsigned, IRGL_U32)
IRGL_EMU_SCOPES(atomicDec, IRGL_DEC, unsigned, IRGL_U32)
#undef IRGL_EMU_INT
#undef IRGL_EMU_LONG

#define IRGL_EMU_CAS(name, T, type)                                                                             \
  IRGL_EMU_INLINE T name(volatile T* p, T compare, T v) {                                                       \
    return irgl_emu::unpack<T>(irgl_emu_atomic(IRGL_CAS, type, p, irgl_emu::pack(v), irgl_emu::pack(compare))); \
  }
#define IRGL_EMU_CASES(T, type)          \
  IRGL_EMU_CAS(atomicCAS, T, type)       \
  IRGL_EMU_CAS(atomicCAS_block, T, type | IRGL_OF_BLOCK) \
  IRGL_EMU_CAS(atomicCAS_system, T, type | IRGL_OF_SYSTEM)
IRGL_EMU_CASES(int, IRGL_I32)
IRGL_EMU_CASES(unsigned, IRGL_U32)
IRGL_EMU_CASES(unsigned long long, IRGL_U64)
IRGL_EMU_CASES(unsigned short, IRGL_U16)
#undef IRGL_EMU_CASES
#undef IRGL_EMU_CAS
#undef IRGL_EMU_SCOPES
#undef IRGL_EMU_ATOMIC
