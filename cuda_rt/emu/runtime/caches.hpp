// Caches: where a device finds the sectors of 32 bytes that a warp's memory instruction asks for. Lockstep counts them.
//
// A multiprocessor's own cache, L1, has what it loaded since the kernel began; volatile loads, stores and atomics go
// past it. The device's, L2, has what all of them loaded or stored, also in kernels before. What is in neither is
// memory's. Both are sets of 16 sectors, of which the one not used for longest makes room. A sector lies in the set
// of its number, so that an array which fits in has room. A block runs on the multiprocessor of its number, modulo
// how many there are.
#pragma once
#include <cstring>

#include "state.hpp"

namespace emu {

class Cache {
 public:
  explicit Cache(u64 bytes) : sets_(bytes / (WAYS * 32)), tags_(sets_ * WAYS) {}

  // Was the sector there? It is now; what lies there from another epoch is forgotten.
  bool touch(u64 sector, u64 epoch) {
    if (sets_ == 0) return false;
    u64* const set = &tags_[sector % sets_ * WAYS];
    const u64 tag = (epoch << 44 | sector) + 1;  // 0: nothing
    u32 at = 0;
    while (at < WAYS - 1 && set[at] != tag) at++;
    const bool found = set[at] == tag;
    std::memmove(set + 1, set, at * sizeof *set);
    set[0] = tag;
    return found;
  }

 private:
  static constexpr u32 WAYS = 16;
  u64 sets_;
  std::vector<u64> tags_;  // of each set the last used first
};

// Counts a sector that a warp of the running grid asks for, past L1 or not.
void count_sector(const Block& block, u64 sector, bool past_l1);

}  // namespace emu
