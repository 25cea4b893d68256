// cub::WarpReduce: the first lane has the result. It works by shuffles, so that its storage is never touched.
#pragma once
#include "../../irgl_emu/together.h"
#include "../util_device.cuh"

namespace cub {

template <class T, int LOGICAL_WARP_THREADS = 32, int = 0>
class WarpReduce {
 public:
  struct TempStorage {
    unsigned char unused;
  };
  IRGL_EMU_MEMBER explicit WarpReduce(TempStorage&) {}

  template <class Op>
  IRGL_EMU_MEMBER T Reduce(T input, Op op) {
    return w.reduce(input, op, w.count - 1);
  }
  template <class Op>
  IRGL_EMU_MEMBER T Reduce(T input, Op op, int valid_items) {
    return w.reduce(input, op, valid_items - 1);
  }
  IRGL_EMU_MEMBER T Sum(T input) { return Reduce(input, irgl_emu::Add()); }
  IRGL_EMU_MEMBER T Sum(T input, int valid_items) { return Reduce(input, irgl_emu::Add(), valid_items); }
  IRGL_EMU_MEMBER T Min(T input) { return Reduce(input, irgl_emu::Least()); }
  IRGL_EMU_MEMBER T Min(T input, int valid_items) { return Reduce(input, irgl_emu::Least(), valid_items); }
  IRGL_EMU_MEMBER T Max(T input) { return Reduce(input, irgl_emu::Greatest()); }
  IRGL_EMU_MEMBER T Max(T input, int valid_items) { return Reduce(input, irgl_emu::Greatest(), valid_items); }

  // A segment begins at each lane whose flag is set; its first lane has its result.
  template <class Flag, class Op>
  IRGL_EMU_MEMBER T HeadSegmentedReduce(T input, Flag head, Op op) {
    const unsigned behind = flags(head) & (w.rank == 31 ? 0 : ~0u << (w.rank + 1));
    return w.reduce(input, op, behind != 0 ? __builtin_ctz(behind) - 1 : w.count - 1);
  }
  // A segment ends at each lane whose flag is set.
  template <class Flag, class Op>
  IRGL_EMU_MEMBER T TailSegmentedReduce(T input, Flag tail, Op op) {
    const unsigned from = flags(tail) & ~0u << w.rank;
    return w.reduce(input, op, from != 0 ? __builtin_ctz(from) : w.count - 1);
  }
  template <class Flag>
  IRGL_EMU_MEMBER T HeadSegmentedSum(T input, Flag head) {
    return HeadSegmentedReduce(input, head, irgl_emu::Add());
  }
  template <class Flag>
  IRGL_EMU_MEMBER T TailSegmentedSum(T input, Flag tail) {
    return TailSegmentedReduce(input, tail, irgl_emu::Add());
  }

 private:
  irgl_emu::Lanes<LOGICAL_WARP_THREADS> w;

  template <class Flag>
  IRGL_EMU_MEMBER unsigned flags(Flag flag) const {
    return (__ballot_sync(w.mask, flag ? 1 : 0) & w.mask) >> w.first;
  }
};

}  // namespace cub
