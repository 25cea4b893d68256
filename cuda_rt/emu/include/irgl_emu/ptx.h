// What inline PTX is rewritten to.
#pragma once
#include "atomics.h"
#include "intrinsics.h"

extern "C" unsigned irgl_emu_processor(int all);  // the running thread's multiprocessor, or how many there are

namespace irgl_emu {

// Registers have no type: values of one size keep their bits.
template <class T, class Value>
IRGL_EMU_INLINE T ptx_get(Value v) {
  if constexpr (sizeof(T) == sizeof(Value)) {
    T t;
    __builtin_memcpy(&t, &v, sizeof t);
    return t;
  } else {
    return (T)v;
  }
}
template <class T, class Value>
IRGL_EMU_INLINE void ptx_set(T& to, Value v) {
  to = ptx_get<T>(v);
}
template <bool marked, class T>
IRGL_EMU_INLINE T ptx_load(const T* p) {
  if constexpr (marked) return __ldcg(p);
  return *p;
}
template <bool marked, class T>
IRGL_EMU_INLINE void ptx_store(T* p, T v) {
  if constexpr (marked) {
    __stcg(p, v);
  } else {
    *p = v;
  }
}

IRGL_EMU_INLINE unsigned ptx_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
IRGL_EMU_INLINE unsigned ptx_lane() { return ptx_thread() % 32; }

template <class T>
IRGL_EMU_INLINE int ptx_popc(T v) {
  return sizeof v == 8 ? __popcll((unsigned long long)v) : __popc((unsigned)v);
}
template <class T>
IRGL_EMU_INLINE int ptx_clz(T v) {
  return sizeof v == 8 ? __clzll((long long)v) : __clz((int)v);
}
template <class T>
IRGL_EMU_INLINE T ptx_brev(T v) {
  return sizeof v == 8 ? (T)__brevll((unsigned long long)v) : (T)__brev((unsigned)v);
}
template <class T>
IRGL_EMU_INLINE T ptx_mul_hi(T a, T b) {
  if constexpr (T(-1) < T(0)) return (T)((__int128)a * b >> 8 * sizeof(T));
  return (T)((unsigned __int128)a * b >> 8 * sizeof(T));
}
template <class T>
IRGL_EMU_INLINE T ptx_bfe(T v, T from, T n) {
  const unsigned bits = 8 * sizeof v, low = (unsigned)from & 255;
  unsigned count = (unsigned)n & 255;
  if (count == 0) return 0;
  if (low >= bits) return v < 0 ? (T)-1 : 0;
  v = (T)(v >> low);
  return count >= bits - low ? v : (T)((T)((unsigned long long)v << (bits - count)) >> (bits - count));
}
template <class T>
IRGL_EMU_INLINE T ptx_bfi(T v, T into, T from, T n) {
  const unsigned bits = 8 * sizeof v, low = (unsigned)from & 255, count = (unsigned)n & 255;
  if (count == 0 || low >= bits) return into;
  const unsigned long long ones = count >= 64 ? ~0ull : (1ull << count) - 1, mask = ones << low;
  return (T)(((unsigned long long)into & ~mask) | ((unsigned long long)v << low & mask));
}

}  // namespace irgl_emu
