// Cooperative groups of any kind behind one type, tiles whose size is known at run time, one thread for all.
#pragma once

namespace cooperative_groups {

struct thread_group {
  enum Kind { lanes, block, grid } kind;
  unsigned mask, lane;  // of lanes

  IRGL_EMU_MEMBER void sync() const {
    if (kind == block) return thread_block::sync();
    if (kind == grid) return grid_group::sync();
    __syncwarp(mask);
  }
  IRGL_EMU_MEMBER unsigned long long size() const {
    return kind == block ? thread_block::size() : kind == grid ? grid_group::size() : __popc(mask);
  }
  IRGL_EMU_MEMBER unsigned long long num_threads() const { return size(); }
  IRGL_EMU_MEMBER unsigned long long thread_rank() const {
    return kind == block  ? thread_block::thread_rank()
           : kind == grid ? grid_group::thread_rank()
                          : __popc(mask & ((1u << lane) - 1));
  }
};
IRGL_EMU_MEMBER thread_block::operator thread_group() const { return {thread_group::block, 0, 0}; }
IRGL_EMU_MEMBER grid_group::operator thread_group() const { return {thread_group::grid, 0, 0}; }
IRGL_EMU_MEMBER lane_group::operator thread_group() const { return {thread_group::lanes, mask, lane}; }

// Lanes of a group, N ranks to a part.
IRGL_EMU_MEMBER coalesced_group tiled_partition(const coalesced_group& g, unsigned n) {
  const unsigned first = g.thread_rank() / n * n;
  unsigned mine = 0, rank = 0;
  for (unsigned m = g.mask; m != 0; m &= m - 1, rank++) {
    if (rank >= first && rank < first + n) mine |= m & -m;
  }
  return coalesced_group{{mine, g.lane}};
}
IRGL_EMU_MEMBER thread_group tiled_partition(const thread_group& g, unsigned n) {
  if (g.kind == thread_group::lanes) return tiled_partition(coalesced_group{{g.mask, g.lane}}, n);
  if (n == 0 || n > 32 || (n & (n - 1)) != 0) irgl_emu_refuse("a tile of that size", "1, 2, 4, 8, 16 or 32 threads");
  const unsigned lane = thread_block::thread_rank() % 32;
  return {thread_group::lanes, (n == 32 ? 0xffffffffu : (1u << n) - 1) << (lane & ~(n - 1)), lane};
}

IRGL_EMU_MEMBER unsigned long long thread_rank(const thread_group& g) { return g.thread_rank(); }
IRGL_EMU_MEMBER unsigned long long group_size(const thread_group& g) { return g.size(); }
IRGL_EMU_MEMBER bool is_master(const thread_group& g) { return g.thread_rank() == 0; }

template <class Group, class Function, class... Args>
IRGL_EMU_MEMBER void invoke_one(const Group& g, Function&& f, Args&&... args) {
  if (g.thread_rank() == 0) f(static_cast<Args&&>(args)...);
}
template <class Group, class Function, class... Args>
IRGL_EMU_MEMBER auto invoke_one_broadcast(const Group& g, Function&& f, Args&&... args) -> decltype(f(args...)) {
  decltype(f(args...)) r{};
  if (g.thread_rank() == 0) r = f(static_cast<Args&&>(args)...);
  return g.shfl(r, 0);
}

}  // namespace cooperative_groups
