// What fences order: all before a fence comes before all behind another one, if between them the first thread wrote a
// word, marked as meant to race, that the second one read so. Barriers hand on what a thread of theirs knows.
#pragma once
#include "memory.hpp"
#include "state.hpp"

namespace emu {

extern bool is_fenced;  // a thread of this grid has met a fence

void fence(Thread* t);
void begin_fences();                                  // a grid: nothing is known
void marked_read(Thread* t, u64 address);             // only where is_fenced
void marked_write(Thread* t, u64 address);
void share_in_block(Block& b);                        // its threads met at a barrier
void share_in_warp(Warp& w, u32 mask);
bool is_behind_fences(const Access& a, const Thread* t);  // does t know of all that a's thread did up to a?

}  // namespace emu
