// Who runs next.
#pragma once
#include <algorithm>
#include <cstring>

#include "state.hpp"

namespace emu {

void run_grid();                 // all blocks of `grid` (turns.cpp)
void start_block(Block& b, u32 number);
bool run_block(Block& b);        // until none of its threads can go on, or it gives way; false: none could
// A block waits for another one, which has not begun: may it? Then all begin.
bool admit_others(const Thread* t, u32 pc);
[[noreturn]] void abort_grid();  // from a device thread: the launch fails
void wait_here(State state);     // the running thread waits; returns when it was released
void release(Thread* t);         // makes a waiting thread runnable
void pass_others();              // the running thread lets others run first
// lockstep: waits for its turn at `pc`. past_l1: it goes past a multiprocessor's own cache.
void stop(u32 pc, u64 address, u64 size, bool memory, void* frame, bool past_l1 = true);
void watch(u64 address);                                             // the thread reads what it may be waiting for
Site site_here(void* frame, u32 pc);                                 // the calls that lead here

void end_unit(Block& b);       // all its threads have ended (weaver.cpp)
void thread_ended(Thread* t);  // collectives that waited for it may be complete now
bool resolve_stuck(Block& b);  // no thread of the block can run: tells why, frees some if it can

// A barrier, vote or shuffle is complete: that is progress only where some memory changes between two of them.
void note_meeting(Thread* t, u64 threads);

void begin_waiting();  // a grid begins: nobody has waited

extern long budget;  // basic blocks until the running thread is asked to pause
extern u64 slices;   // how often a thread was given one

struct Stored {  // the last store, which was not done yet when it was seen
  u64 address = 0, size = 0;
  u8 old[16];
};
extern Stored stored;
inline void settle_stored() {  // it is progress if it changed anything
  if (stored.size == 0) return;
  if (std::memcmp(reinterpret_cast<void*>(stored.address), stored.old, stored.size) != 0) progress++;
  stored.size = 0;
}
inline void note_store(u64 address, u64 size) {
  settle_stored();
  stored.address = address;
  stored.size = std::min<u64>(size, sizeof stored.old);
  std::memcpy(stored.old, reinterpret_cast<void*>(address), stored.size);
}

}  // namespace emu
