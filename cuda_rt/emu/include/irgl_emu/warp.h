// Barriers, votes, shuffles: each is a call of the runtime, where lanes and threads meet.
#pragma once
#include "types.h"

namespace irgl_emu {

template <class T>
IRGL_EMU_INLINE unsigned long pack(T v) {
  static_assert(sizeof(T) <= 8, "a value of at most 8 bytes");
  unsigned long b = 0;
  __builtin_memcpy(&b, &v, sizeof v);
  return b;
}
template <class T>
IRGL_EMU_INLINE T unpack(unsigned long b) {
  T v;
  __builtin_memcpy(&v, &b, sizeof v);
  return v;
}

}  // namespace irgl_emu

IRGL_EMU_INLINE void __syncthreads() { irgl_emu_block_barrier(IRGL_SYNC, 0); }
IRGL_EMU_INLINE int __syncthreads_and(int p) { return irgl_emu_block_barrier(IRGL_SYNC_AND, p); }
IRGL_EMU_INLINE int __syncthreads_or(int p) { return irgl_emu_block_barrier(IRGL_SYNC_OR, p); }
IRGL_EMU_INLINE int __syncthreads_count(int p) { return irgl_emu_block_barrier(IRGL_SYNC_COUNT, p); }
IRGL_EMU_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { irgl_emu_warp(IRGL_SYNCWARP, mask, 0, 0); }
IRGL_EMU_INLINE unsigned __activemask() { return irgl_emu_activemask(); }

IRGL_EMU_INLINE unsigned __ballot_sync(unsigned mask, int p) {
  return (unsigned)irgl_emu_warp(IRGL_BALLOT, mask, p != 0, 0);
}
IRGL_EMU_INLINE int __any_sync(unsigned mask, int p) { return (int)irgl_emu_warp(IRGL_ANY, mask, p != 0, 0); }
IRGL_EMU_INLINE int __all_sync(unsigned mask, int p) { return (int)irgl_emu_warp(IRGL_ALL, mask, p != 0, 0); }
template <class T>
IRGL_EMU_INLINE unsigned __match_any_sync(unsigned mask, T v) {
  return (unsigned)irgl_emu_warp(IRGL_MATCH_ANY, mask, irgl_emu::pack(v), 0);
}
template <class T>
IRGL_EMU_INLINE unsigned __match_all_sync(unsigned mask, T v, int* all) {
  const unsigned m = (unsigned)irgl_emu_warp(IRGL_MATCH_ALL, mask, irgl_emu::pack(v), 0);
  *all = m != 0;
  return m;
}

#define IRGL_EMU_SHUFFLE(name, op, T2)                                                                                \
  template <class T>                                                                                                  \
  IRGL_EMU_INLINE T name(unsigned mask, T v, T2 b, int width = 32) {                                                  \
    return irgl_emu::unpack<T>(irgl_emu_warp(op, mask, irgl_emu::pack(v), (unsigned long)width << 32 | (unsigned)b)); \
  }
IRGL_EMU_SHUFFLE(__shfl_sync, IRGL_SHFL, int)
IRGL_EMU_SHUFFLE(__shfl_up_sync, IRGL_SHFL_UP, unsigned)
IRGL_EMU_SHUFFLE(__shfl_down_sync, IRGL_SHFL_DOWN, unsigned)
IRGL_EMU_SHUFFLE(__shfl_xor_sync, IRGL_SHFL_XOR, int)
#undef IRGL_EMU_SHUFFLE

#define IRGL_EMU_REDUCE(name, signed_op, unsigned_op)                                                            \
  IRGL_EMU_INLINE int name(unsigned mask, int v) { return (int)irgl_emu_warp(signed_op, mask, (unsigned)v, 0); } \
  IRGL_EMU_INLINE unsigned name(unsigned mask, unsigned v) { return (unsigned)irgl_emu_warp(unsigned_op, mask, v, 0); }
IRGL_EMU_REDUCE(__reduce_add_sync, IRGL_REDUCE_ADD, IRGL_REDUCE_ADD)
IRGL_EMU_REDUCE(__reduce_min_sync, IRGL_REDUCE_MIN, IRGL_REDUCE_UMIN)
IRGL_EMU_REDUCE(__reduce_max_sync, IRGL_REDUCE_MAX, IRGL_REDUCE_UMAX)
#undef IRGL_EMU_REDUCE
IRGL_EMU_INLINE unsigned __reduce_and_sync(unsigned mask, unsigned v) {
  return (unsigned)irgl_emu_warp(IRGL_REDUCE_AND, mask, v, 0);
}
IRGL_EMU_INLINE unsigned __reduce_or_sync(unsigned mask, unsigned v) {
  return (unsigned)irgl_emu_warp(IRGL_REDUCE_OR, mask, v, 0);
}
IRGL_EMU_INLINE unsigned __reduce_xor_sync(unsigned mask, unsigned v) {
  return (unsigned)irgl_emu_warp(IRGL_REDUCE_XOR, mask, v, 0);
}

IRGL_EMU_INLINE void __threadfence() { irgl_emu_fence(); }
IRGL_EMU_INLINE void __threadfence_block() { irgl_emu_fence(); }
IRGL_EMU_INLINE void __threadfence_system() { irgl_emu_fence(); }
IRGL_EMU_INLINE void __nanosleep(unsigned) { irgl_emu_pause(); }
IRGL_EMU_INLINE void __trap() { irgl_emu_trap(); }
IRGL_EMU_INLINE long long clock64() { return irgl_emu_clock(); }
