// Counters by round: what the warps, or the host, count goes to the innermost round that they are in.
//
// A program tells by irgl_emu_begin_round and irgl_emu_end_rounds where rounds begin and loops end. In a kernel all its
// threads say so, each when it comes there: blocks that run ahead are in the next round while others are not, and none
// counts for another. The first thread that comes to such a call decides what it means.
#pragma once
#include <vector>

#include "state.hpp"

namespace emu {

struct Tally {
  u32 place = 0;  // of its loop, as the program numbers them
  u32 depth = 0;  // how many loops are around that
  long items = -1, edges = -1;  // that it runs over; -1: nobody knows
  u64 ways = 0;  // bits: 1 it pushes, 2 it pulls
  u64 launches = 0, grid_barriers = 0, atomics = 0, warp_steps = 0, transactions = 0;
  bool told = false;  // does it need no more words on what it runs over?
};

// [0]: what is in no round.
inline std::vector<Tally>& rounds = *new std::vector<Tally>(1);
inline std::vector<u32>& open_rounds = *new std::vector<u32>;   // by depth, of which the last one runs
inline std::vector<u32>& round_events = *new std::vector<u32>;  // of the running grid: the round behind each call
inline u64 further_rounds = 0;  // that are one

inline u32 last_round() { return open_rounds.empty() ? 0 : open_rounds.back(); }
inline Tally& round_now() { return rounds[cur != nullptr ? cur->warp->round : last_round()]; }

}  // namespace emu
