// Cooperative groups: grid, block, tiles of a warp, coalesced threads.
#pragma once
#include "cuda_runtime.h"

#define _COOPERATIVE_GROUPS_H_

namespace cooperative_groups {

#define IRGL_EMU_STATIC static IRGL_EMU_MEMBER

struct thread_group;  // any group, in irgl_emu/groups.h

struct grid_group {
  operator thread_group() const;
  IRGL_EMU_STATIC void sync() { irgl_emu_grid_barrier(); }
  IRGL_EMU_STATIC bool is_valid() { return irgl_emu_is_cooperative() != 0; }
  IRGL_EMU_STATIC unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  IRGL_EMU_STATIC unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  IRGL_EMU_STATIC unsigned long long size() { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
  IRGL_EMU_STATIC unsigned long long num_threads() { return size(); }
  IRGL_EMU_STATIC unsigned long long thread_rank() {
    return block_rank() * (blockDim.x * blockDim.y * blockDim.z) +
           (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  IRGL_EMU_STATIC dim3 group_dim() { return dim3(gridDim); }
  IRGL_EMU_STATIC dim3 dim_blocks() { return dim3(gridDim); }
  IRGL_EMU_STATIC dim3 block_index() { return dim3(blockIdx); }
};
IRGL_EMU_MEMBER grid_group this_grid() { return grid_group(); }

struct thread_block {
  operator thread_group() const;
  IRGL_EMU_STATIC void sync() { irgl_emu_block_barrier(IRGL_SYNC, 0); }
  IRGL_EMU_STATIC unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  IRGL_EMU_STATIC unsigned num_threads() { return size(); }
  IRGL_EMU_STATIC unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  IRGL_EMU_STATIC dim3 group_index() { return dim3(blockIdx); }
  IRGL_EMU_STATIC dim3 thread_index() { return dim3(threadIdx); }
  IRGL_EMU_STATIC dim3 group_dim() { return dim3(blockDim); }
  IRGL_EMU_STATIC dim3 dim_threads() { return dim3(blockDim); }
};
IRGL_EMU_MEMBER thread_block this_thread_block() { return thread_block(); }

// Lanes of one warp, by a mask; ranks count its lanes from the lowest.
struct lane_group {
  unsigned mask, lane;

  operator thread_group() const;
  IRGL_EMU_MEMBER void sync() const { __syncwarp(mask); }
  IRGL_EMU_MEMBER unsigned size() const { return __popc(mask); }
  IRGL_EMU_MEMBER unsigned num_threads() const { return size(); }
  IRGL_EMU_MEMBER unsigned thread_rank() const { return __popc(mask & ((1u << lane) - 1)); }
  IRGL_EMU_MEMBER int any(int p) const { return __any_sync(mask, p); }
  IRGL_EMU_MEMBER int all(int p) const { return __all_sync(mask, p); }
  IRGL_EMU_MEMBER unsigned ballot(int p) const { return ranks(__ballot_sync(mask, p)); }
  template <class T>
  IRGL_EMU_MEMBER unsigned match_any(T v) const {
    return ranks(__match_any_sync(mask, v));
  }
  template <class T>
  IRGL_EMU_MEMBER unsigned match_all(T v, int& all) const {
    return ranks(__match_all_sync(mask, v, &all));
  }
  template <class T>
  IRGL_EMU_MEMBER T shfl(T v, unsigned rank) const {
    return __shfl_sync(mask, v, lane_of(rank % size()));
  }
  template <class T>
  IRGL_EMU_MEMBER T shfl_up(T v, unsigned by) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask, v, lane_of(rank >= by ? rank - by : rank));
  }
  template <class T>
  IRGL_EMU_MEMBER T shfl_down(T v, unsigned by) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask, v, lane_of(rank + by < size() ? rank + by : rank));
  }
  template <class T>
  IRGL_EMU_MEMBER T shfl_xor(T v, unsigned with) const {
    const unsigned to = thread_rank() ^ with;
    return __shfl_sync(mask, v, lane_of(to < size() ? to : thread_rank()));
  }
  IRGL_EMU_MEMBER int lane_of(unsigned rank) const {  // of the lane with that rank
    unsigned m = mask;
    for (unsigned i = 0; i < rank; i++) m &= m - 1;
    return __ffs((int)m) - 1;
  }
  IRGL_EMU_MEMBER unsigned ranks(unsigned lanes) const {  // from bits of lanes to bits of ranks
    unsigned r = 0, i = 0;
    for (unsigned m = mask; m != 0; m &= m - 1, i++) r |= (lanes >> (__ffs((int)m) - 1) & 1) << i;
    return r;
  }
};

struct coalesced_group : lane_group {
  coalesced_group() = default;
  IRGL_EMU_MEMBER explicit coalesced_group(lane_group lanes) : lane_group(lanes) {}
  IRGL_EMU_MEMBER unsigned meta_group_size() const { return 1; }
  IRGL_EMU_MEMBER unsigned meta_group_rank() const { return 0; }
};
IRGL_EMU_MEMBER coalesced_group coalesced_threads() {
  return coalesced_group{{irgl_emu_coalesced(), this_thread_block().thread_rank() % 32}};
}

template <unsigned Count, class Parent = void>
struct thread_block_tile : lane_group {
  thread_block_tile() = default;
  IRGL_EMU_MEMBER explicit thread_block_tile(lane_group lanes) : lane_group(lanes) {}
  static_assert(Count > 0 && Count <= 32 && (Count & (Count - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  template <class Other>
  IRGL_EMU_MEMBER operator thread_block_tile<Count, Other>() const {
    return thread_block_tile<Count, Other>{{this->mask, this->lane}};
  }
  IRGL_EMU_STATIC constexpr unsigned size() { return Count; }
  IRGL_EMU_STATIC constexpr unsigned num_threads() { return Count; }
  IRGL_EMU_MEMBER unsigned thread_rank() const { return this->lane % Count; }
  IRGL_EMU_MEMBER unsigned meta_group_size() const { return (this_thread_block().size() + Count - 1) / Count; }
  IRGL_EMU_MEMBER unsigned meta_group_rank() const { return this_thread_block().thread_rank() / Count; }
  template <class T>
  IRGL_EMU_MEMBER T shfl(T v, unsigned rank) const {
    return __shfl_sync(this->mask, v, rank, Count);
  }
  template <class T>
  IRGL_EMU_MEMBER T shfl_up(T v, unsigned by) const {
    return __shfl_up_sync(this->mask, v, by, Count);
  }
  template <class T>
  IRGL_EMU_MEMBER T shfl_down(T v, unsigned by) const {
    return __shfl_down_sync(this->mask, v, by, Count);
  }
  template <class T>
  IRGL_EMU_MEMBER T shfl_xor(T v, unsigned with) const {
    return __shfl_xor_sync(this->mask, v, with, Count);
  }
};

template <unsigned Count, class Group>
IRGL_EMU_MEMBER thread_block_tile<Count, Group> tiled_partition(const Group&) {
  const unsigned lane = this_thread_block().thread_rank() % 32;
  const unsigned low = Count == 32 ? 0xffffffffu : (1u << (Count % 32)) - 1;
  return thread_block_tile<Count, Group>{{low << (lane & ~(Count - 1)), lane}};
}
template <class Group>
IRGL_EMU_MEMBER coalesced_group binary_partition(const Group& g, bool p) {
  const unsigned yes = __ballot_sync(g.mask, p);
  return coalesced_group{{p ? yes : g.mask & ~yes, g.lane}};
}
template <class Group, class T>
IRGL_EMU_MEMBER coalesced_group labeled_partition(const Group& g, T label) {
  return coalesced_group{{__match_any_sync(g.mask, label), g.lane}};
}
template <class Group>
IRGL_EMU_MEMBER void sync(const Group& g) {
  g.sync();
}

}  // namespace cooperative_groups

#ifndef IRGL_EMU_SLIM
#include "irgl_emu/groups.h"
#endif
