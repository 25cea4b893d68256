// Functions of one number, and atomicAdd.
#define IRGL_EMU_OF(one, both, op)                                                            \
  IRGL_EMU_INLINE IRGL_EMU_H one(const IRGL_EMU_H v) { return irgl_emu::small(op, v, v, v); } \
  IRGL_EMU_INLINE IRGL_EMU_H2 both(const IRGL_EMU_H2 v) { return {one(v.x), one(v.y)}; }
IRGL_EMU_OF(__hneg, __hneg2, IRGL_SMALL_NEG)
IRGL_EMU_OF(__habs, __habs2, IRGL_SMALL_ABS)
IRGL_EMU_OF(hsqrt, h2sqrt, IRGL_SMALL_SQRT)
IRGL_EMU_OF(hrsqrt, h2rsqrt, IRGL_SMALL_RSQRT)
IRGL_EMU_OF(hrcp, h2rcp, IRGL_SMALL_RCP)
IRGL_EMU_OF(hexp, h2exp, IRGL_SMALL_EXP)
IRGL_EMU_OF(hexp2, h2exp2, IRGL_SMALL_EXP2)
IRGL_EMU_OF(hexp10, h2exp10, IRGL_SMALL_EXP10)
IRGL_EMU_OF(hlog, h2log, IRGL_SMALL_LOG)
IRGL_EMU_OF(hlog2, h2log2, IRGL_SMALL_LOG2)
IRGL_EMU_OF(hlog10, h2log10, IRGL_SMALL_LOG10)
IRGL_EMU_OF(hsin, h2sin, IRGL_SMALL_SIN)
IRGL_EMU_OF(hcos, h2cos, IRGL_SMALL_COS)
IRGL_EMU_OF(htanh, h2tanh, IRGL_SMALL_TANH)
IRGL_EMU_OF(htanh_approx, h2tanh_approx, IRGL_SMALL_TANH)
IRGL_EMU_OF(hfloor, h2floor, IRGL_SMALL_FLOOR)
IRGL_EMU_OF(hceil, h2ceil, IRGL_SMALL_CEIL)
IRGL_EMU_OF(htrunc, h2trunc, IRGL_SMALL_TRUNC)
IRGL_EMU_OF(hrint, h2rint, IRGL_SMALL_RINT)
#undef IRGL_EMU_OF

#define IRGL_EMU_ADD(T, type)                                                             \
  IRGL_EMU_INLINE T atomicAdd(T* const p, const T v) {                                    \
    return irgl_emu::unpack<T>(irgl_emu_atomic(IRGL_ADD, type, p, irgl_emu::pack(v), 0)); \
  }
IRGL_EMU_ADD(IRGL_EMU_H, IRGL_EMU_FORMAT == 0 ? IRGL_HALF : IRGL_BFLOAT)
IRGL_EMU_ADD(IRGL_EMU_H2, IRGL_EMU_FORMAT == 0 ? IRGL_HALF2 : IRGL_BFLOAT2)
#undef IRGL_EMU_ADD
