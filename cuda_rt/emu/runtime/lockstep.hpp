// Lockstep: the lanes of a warp step together, as on a GPU without independent thread scheduling.
#pragma once
#include "state.hpp"

namespace emu {

// The next lane of a warp: of the group that is being issued, or the first of the next group. Of the lanes that can
// run, those with the deepest stack go first, among them those at the lowest address: they meet again where their
// paths join.
Thread* next_lane(Warp& w);

// Is there a lane of t's warp that could run, but waits for its turn while t spins?
bool starves_others(const Thread* t);

// What bounds a phase - a launch, or a part of one between two barriers of the grid - however wide the GPU is: the
// longest warp, and the address with the most atomics.
void note_atomic(u64 address);  // in global memory
void end_phase();

}  // namespace emu
