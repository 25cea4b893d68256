// The unit of SparseWeaver for any CUDA program: work of uneven lengths, handed out to whole warps, 32 items at once.
//
//     weaver_reg(vid, loc, deg);           once by every thread of the block: what it has brought; deg 0: nothing
//     __syncthreads();
//     for (int vid; weaver_any(vid = weaver_dec_id());)     by whole warps, until no lane gets any
//       if (vid != -1) use(vid, weaver_dec_loc());          loc, loc + 1, ... of its vid, in the threads' order
//     weaver_skip(vid);                    what is left of vid is not handed out
//     __syncthreads();                     before the next registration
// No GPU has it: here it is software over shared memory, 16 KB of it, for blocks of whole warps. The emulator has the
// unit (IRGL_EMU_WEAVER=1, or a GPU's file with "weaver": true), counts what it does, and tells of mistakes
// (docs/weaver.md). Source: S. Jeong, Decoupling Scheduling and Storage Formats for Balanced Graph Processing on a
// GPU, PhD thesis, Yonsei University, 2024.
#pragma once

#ifdef __IRGL_EMU__
#include "irgl_emu/weaver.h"
#define IRGL_UNIT(call) if (irgl_emu_weaver()) return call
#define IRGL_UNIT_CALL __attribute__((noinline)) inline  // so that who calls it is told of a mistake
#else
#define IRGL_UNIT(call) ((void)0)
#define IRGL_UNIT_CALL inline
#endif

namespace irgl_weaver {

constexpr unsigned all = 0xffffffffu;

struct Table {
  int vid[1024];
  unsigned loc[1024], deg[1024];
  unsigned fetched[1024];   // of each thread's last item: its place
  unsigned at, used, lock;  // where the scan is, and how much of that entry is handed out
};
inline __device__ volatile Table& table() {
  __shared__ Table one;
  return one;
}
inline __device__ unsigned thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
inline __device__ unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }

// The items of a warp's lanes. Called by the whole warp, which has the table to itself.
inline __device__ int take(volatile Table& t) {
  const unsigned me = thread(), lane = me % 32, count = threads();
  unsigned at = t.at, used = t.used, filled = 0;
  int vid = -1;
  while (filled < 32 && at < count) {
    unsigned deg = at + lane < count ? t.deg[at + lane] : 0;
    const unsigned gone = lane == 0 ? used : 0;
    deg = deg > gone ? deg - gone : 0;
    if (deg > 33) deg = 33;  // more than a warp takes, however many
    unsigned sum = deg;
    for (unsigned step = 1; step < 32; step *= 2) {
      const unsigned below = __shfl_up_sync(all, sum, step);
      if (lane >= step) sum += below;
    }
    const unsigned before = sum - deg, total = __shfl_sync(all, sum, 31), room = 32 - filled;
    const auto owner_of = [&](unsigned k) {  // the last entry whose items begin at or before the k-th
      unsigned found = 0;
      for (unsigned step = 16; step != 0; step /= 2)
        if (__shfl_sync(all, before, int(found + step)) <= k) found += step;
      return found;
    };
    const unsigned k = lane - filled, owner = owner_of(lane >= filled ? k : 0);
    const unsigned first = __shfl_sync(all, before, int(owner));
    if (lane >= filled && k < total) {
      const unsigned e = at + owner;
      vid = t.vid[e];
      t.fetched[me] = t.loc[e] + (owner == 0 ? used : 0) + (k - first);
    }
    if (total <= room) {
      at += 32, used = 0, filled += total;
    } else {
      const unsigned last = owner_of(room), begin = __shfl_sync(all, before, int(last));
      used = (last == 0 ? used : 0) + (room - begin);
      at += last, filled = 32;
    }
  }
  if (lane == 0) t.at = at, t.used = used;
  return vid;
}

}  // namespace irgl_weaver

IRGL_UNIT_CALL __device__ void weaver_reg(int vid, unsigned loc, unsigned deg) {
  IRGL_UNIT(irgl_emu_weaver_reg(vid, loc, deg));
  volatile irgl_weaver::Table& t = irgl_weaver::table();
  const unsigned me = irgl_weaver::thread();
  if (irgl_weaver::threads() % 32 != 0) __trap();
  t.vid[me] = vid, t.loc[me] = loc, t.deg[me] = deg;
  if (me == 0) t.at = t.used = t.lock = 0;
}

IRGL_UNIT_CALL __device__ int weaver_dec_id() {
  __syncwarp();
  IRGL_UNIT(irgl_emu_weaver_dec_id());
  volatile irgl_weaver::Table& t = irgl_weaver::table();
  const bool leads = irgl_weaver::thread() % 32 == 0;
  unsigned* const lock = const_cast<unsigned*>(&t.lock);
  if (leads)
    while (atomicCAS(lock, 0u, 1u) != 0) __nanosleep(32);
  __threadfence_block();
  __syncwarp();
  const int vid = irgl_weaver::take(t);
  __threadfence_block();
  __syncwarp();
  if (leads) atomicExch(lock, 0u);
  return vid;
}

inline __device__ bool weaver_any(int vid) { return __any_sync(irgl_weaver::all, vid != -1); }

IRGL_UNIT_CALL __device__ unsigned weaver_dec_loc() {
  IRGL_UNIT(irgl_emu_weaver_dec_loc());
  return irgl_weaver::table().fetched[irgl_weaver::thread()];
}

IRGL_UNIT_CALL __device__ void weaver_skip(int vid) {
  IRGL_UNIT(irgl_emu_weaver_skip(vid));
  volatile irgl_weaver::Table& t = irgl_weaver::table();
  const unsigned at = t.at;  // it may go on meanwhile: then there is nothing left of this one
  if (at < irgl_weaver::threads() && t.vid[at] == vid) t.deg[at] = 0;
}

#undef IRGL_UNIT
#undef IRGL_UNIT_CALL
