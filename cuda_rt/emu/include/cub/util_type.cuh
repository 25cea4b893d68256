// CUB's small types.
#pragma once
#include "../cuda_runtime.h"
#include "version.cuh"

namespace cub {

struct NullType {
  IRGL_EMU_MEMBER bool operator==(const NullType&) const { return true; }
  IRGL_EMU_MEMBER bool operator!=(const NullType&) const { return false; }
};

template <class Key_, class Value_>
struct KeyValuePair {
  using Key = Key_;
  using Value = Value_;
  Key key;
  Value value;

  KeyValuePair() = default;
  IRGL_EMU_MEMBER KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
  IRGL_EMU_MEMBER bool operator==(const KeyValuePair& b) const { return key == b.key && value == b.value; }
  IRGL_EMU_MEMBER bool operator!=(const KeyValuePair& b) const { return !(*this == b); }
};

template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {};
  int selector = 0;

  DoubleBuffer() = default;
  IRGL_EMU_MEMBER DoubleBuffer(T* d_current, T* d_alternate) : d_buffers{d_current, d_alternate} {}
  IRGL_EMU_MEMBER T* Current() { return d_buffers[selector]; }
  IRGL_EMU_MEMBER T* Alternate() { return d_buffers[selector ^ 1]; }
};

IRGL_EMU_INLINE int LaneId() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
template <int X, int Y, int Z>
IRGL_EMU_INLINE int RowMajorTid() {
  return threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
}

}  // namespace cub
