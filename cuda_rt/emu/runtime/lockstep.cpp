#include "lockstep.hpp"

#include <algorithm>
#include <unordered_map>

#include "caches.hpp"
#include "fiber.hpp"
#include "report.hpp"
#include "rounds.hpp"

namespace emu {

namespace {

u32 longest = 0, longest_loads = 0, hottest = 0;  // of the phase
std::unordered_map<u64, u32> atomics;             // of the phase, by address

// 32-byte sectors, or conflicts of shared memory's banks, of one memory instruction of a warp.
void account(Warp& w) {
  const u32 n = w.memory_lanes;
  if (n == 0) return;
  w.memory_lanes = 0;
  counters.warp_memory++;
  counters.memory_lanes += n;
  u64 units[64];
  u32 k = 0;
  for (u32 i = 0; i < n; i++) {
    if (w.shared_access) {
      units[k++] = w.address[i] / 4;
    } else {
      units[k++] = w.address[i] / 32;
      const u64 last = (w.address[i] + w.size[i] - 1) / 32;
      if (last != units[k - 1]) units[k++] = last;
    }
  }
  std::sort(units, units + k);
  k = static_cast<u32>(std::unique(units, units + k) - units);
  if (!w.shared_access) {
    counters.transactions += k;
    for (u32 i = 0; i < k; i++) count_sector(*w.block, units[i], w.past_l1);
    rounds[w.round].transactions += k;
    longest_loads = std::max(longest_loads, ++w.phase_loads);
    return;
  }
  u32 banks[32] = {}, most = 0;
  for (u32 i = 0; i < k; i++) most = std::max(most, ++banks[units[i] % 32]);
  counters.warp_shared++;
  counters.bank_conflicts += most - 1;
}

}  // namespace

void note_atomic(u64 address) { hottest = std::max(hottest, ++atomics[address]); }

void end_phase() {
  counters.longest_warp_steps += longest;
  counters.longest_warp_loads += longest_loads;
  counters.hottest_atomics += hottest;
  longest = longest_loads = hottest = 0;
  atomics.clear();
  for (Block* b : grid->resident) {
    for (Warp& w : b->warps) w.phase_steps = w.phase_loads = 0;
  }
}

Thread* next_lane(Warp& w) {
  while (w.left == 0) {
    account(w);
    if (w.steps == 0) return nullptr;
    w.steps--;
    Thread* best = nullptr;
    for (u32 m = w.live; m != 0; m &= m - 1) {
      Thread* t = w.lanes[__builtin_ctz(m)];
      if (t->state != State::runnable && t->state != State::unstarted) continue;
      const bool before = best == nullptr || t->depth > best->depth || (t->depth == best->depth && t->pc < best->pc);
      if (before) best = t;
    }
    if (best == nullptr) return nullptr;
    for (u32 m = w.live; m != 0; m &= m - 1) {
      Thread* t = w.lanes[__builtin_ctz(m)];
      if ((t->state == State::runnable || t->state == State::unstarted) && t->depth == best->depth &&
          t->pc == best->pc) {
        w.left |= 1u << t->lane;
      }
    }
    w.group = w.left;
    w.stepped += static_cast<u32>(__builtin_popcount(w.group));
    counters.warp_steps++;
    rounds[w.round].warp_steps++;
    longest = std::max(longest, ++w.phase_steps);
  }
  const u32 lane = __builtin_ctz(w.left);
  w.left &= w.left - 1;
  Thread* t = w.lanes[lane];
  if (t->state == State::unstarted) {
    t->state = State::runnable;
    t->fiber = take_fiber();
  }
  return t;
}

bool starves_others(const Thread* t) {
  const Warp& w = *t->warp;
  for (u32 m = w.live & ~w.group; m != 0; m &= m - 1) {
    if (w.lanes[__builtin_ctz(m)]->state == State::runnable) return true;
  }
  return false;
}

}  // namespace emu
