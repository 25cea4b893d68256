// PTX_WEAK=1: memory of the device as weak as PTX's model lets it be, about: what a thread has written is seen late by
// others, and in another order; what it reads may be old. Barriers pass it on within a block, fences to all.
#pragma once
#include "ptx.hpp"

namespace ptx {

extern bool weak;
inline bool shared_by_all(Space space, uint64_t address) {
  return space == Space::global || (space == Space::generic && address - shared_window >= window &&
      address - local_window >= window);
}
void weak_begin();                                                   // of a launch
void weak_load(Thread& t, const uint8_t* from, void* to, size_t bytes);
void weak_store(Thread& t, uint8_t* to, const void* from, size_t bytes);
void weak_atomic(Thread& t, uint8_t* at, size_t bytes, bool release);  // before one
void weak_change(Thread& t, uint8_t* at, const void* from, size_t bytes);  // what one, or a release, writes at once
void weak_fence(Thread& t);
void weak_pass(Thread& t);                                // what it has written goes to its block
void weak_join(const std::vector<Thread*>& together);     // they know what each of them knows
void weak_some(Thread& t);                                // time goes by
void weak_some(Block& block);
void weak_all(Block& block);                              // it has ended

}  // namespace ptx
