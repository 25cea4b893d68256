// Lanes and threads that compute together: the ground of CUB's warp and block collectives.
#pragma once
#include "parallel.h"

namespace irgl_emu {

IRGL_EMU_INLINE int thread_number() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
IRGL_EMU_INLINE int block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

// The calling thread among the W lanes that it works with; a block's last ones may be fewer.
template <int W>
struct Lanes {
  int rank, first, count;  // in the group; the group's first lane in the warp; how many there are
  unsigned mask;

  IRGL_EMU_MEMBER Lanes() {
    const int thread = thread_number(), lane = thread % 32, left = block_threads() - (thread - lane);
    first = lane / W * W;
    rank = lane - first;
    const int there = (left < 32 ? left : 32) - first;
    count = there < W ? there : W;
    mask = (count == 32 ? ~0u : (1u << count) - 1) << first;
  }

  // The value of the lane of that rank, for a type of any size; one's own where there is no such lane.
  template <class T>
  IRGL_EMU_MEMBER T from(int other, const T& v) const {
    const int lane = first + (other >= 0 && other < count ? other : rank);
    unsigned long words[(sizeof(T) + 7) / 8] = {};
    __builtin_memcpy(words, &v, sizeof(T));
    for (unsigned long& w : words) w = __shfl_sync(mask, w, lane);
    T r = v;
    __builtin_memcpy(static_cast<void*>(&r), words, sizeof(T));
    return r;
  }

  // Over the lanes from one's own to `last`, in their order; the first one's is all of theirs.
  template <class T, class Op>
  IRGL_EMU_MEMBER T reduce(T v, Op& op, int last) const {
    for (int step = 1; step < count; step *= 2) {
      const T next = from(rank + step, v);
      if (rank + step <= last) v = op(v, next);
    }
    return v;
  }

  template <class T, class Op>
  IRGL_EMU_MEMBER T scan(T v, Op& op) const {
    for (int step = 1; step < count; step *= 2) {
      const T before = from(rank - step, v);
      if (rank >= step) v = op(before, v);
    }
    return v;
  }
};

// Room in shared memory for objects that nobody has constructed.
template <class T, int N>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T) * (N > 0 ? N : 1)];
  IRGL_EMU_MEMBER T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// The calling thread among the threads of a block, whose size a collective is made for.
template <int X, int Y, int Z>
struct Threads {
  static constexpr int count = X * Y * Z, warps = (count + 31) / 32;
  int rank = thread_number();

  IRGL_EMU_MEMBER Threads() {
    if (blockDim.x != X || blockDim.y != Y || blockDim.z != Z) {
      irgl_emu_fault("launch", "the block has another size than this CUB collective is made for");
    }
  }
};

struct Add {
  template <class T, class U>
  IRGL_EMU_MEMBER auto operator()(const T& a, const U& b) const {
    return a + b;
  }
};
struct Least {
  template <class T, class U>
  IRGL_EMU_MEMBER auto operator()(const T& a, const U& b) const {
    return b < a ? b : a;
  }
};
struct Equal {
  template <class T, class U>
  IRGL_EMU_MEMBER bool operator()(const T& a, const U& b) const {
    return a == b;
  }
};
struct Greatest {
  template <class T, class U>
  IRGL_EMU_MEMBER auto operator()(const T& a, const U& b) const {
    return a < b ? b : a;
  }
};

}  // namespace irgl_emu
