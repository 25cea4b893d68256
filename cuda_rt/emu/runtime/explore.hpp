// What a seed means: in which order blocks, warps and lanes take their turns, and where they give way to others.
//
// 0 is the natural order and 1 the reversed one; from 2 on the other families take turns, each with random blocks,
// warps and lanes. All but `shuffled` have as many blocks at once as fit on the device, of which the one with the
// highest rank runs: a random rank, which falls when the block gives way, so that all others go on before it does
// (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010). Where
// blocks give way at a thread's operation of some number, the first seeds count these numbers up, since small ones
// find most.
#pragma once
#include "state.hpp"

namespace emu {

enum class Family {
  natural,    // one block after another, but those of a cooperative launch: all at once
  reversed,   // the same, from the last to the first
  barriers,   // a block gives way at each barrier of its own
  delayed,    // blocks give way once, and wait as long as any other can go on: the first one for longest
  alternate,  // blocks give way each time after so many operations, and go on in the same order
  switching,  // blocks and threads give way here and there
  shuffled,   // one block after another
};

void choose_family();  // as options.seed says
Family family();
bool is_ranked();  // many blocks at once, by rank
u32 random_below(u32 n);
template <class T>
void shuffle(std::vector<T>& v, u64 low, u64 high) {
  if (options.seed < 2) return;
  for (u64 i = high - low; i > 1; i--) std::swap(v[low + i - 1], v[low + random_below(static_cast<u32>(i))]);
}
void begin_exploring();         // a grid begins
void explore_block(Block& b);   // a block begins
void let_pass(Block& b);        // all others go first
extern bool leaves_block;       // the running block gives way, once its thread does
extern bool was_interrupted;    // the running thread gave way before its slice was over
extern bool explores;           // threads give way at what they may wait for or be waited for
void interrupt(bool is_shared);

// The running thread is about to do what others may see in time: an atomic or volatile access, a fence, a barrier.
inline void may_give_way(bool is_shared) {
  if (__builtin_expect(explores, 0)) interrupt(is_shared);
}
void passed_barrier(Block& b);

}  // namespace emu
