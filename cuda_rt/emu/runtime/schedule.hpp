// Who runs next.
#pragma once
#include "state.hpp"

namespace emu {

void run_grid();                 // all blocks of `grid`
[[noreturn]] void abort_grid();  // from a device thread: the launch fails
void wait_here(State state);     // the running thread waits; returns when it was released
void release(Thread* t);         // makes a waiting thread runnable
void pass_others();              // the running thread lets others run first
void stop(u32 pc, u64 address, u64 size, bool memory, void* frame);  // lockstep: waits for its turn at `pc`
void watch(u64 address);                                             // the thread reads what it may be waiting for
Site site_here(void* frame, u32 pc);                                 // the calls that lead here

void thread_ended(Thread* t);  // collectives that waited for it may be complete now
bool resolve_stuck(Block& b);  // no thread of the block can run: tells why, frees some if it can

extern long budget;  // basic blocks until the running thread is asked to pause

}  // namespace emu
