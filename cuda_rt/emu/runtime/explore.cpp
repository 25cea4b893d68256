#include "explore.hpp"

#include <algorithm>

#include "schedule.hpp"

namespace emu {

bool leaves_block = false, was_interrupted = false, explores = false;

namespace {

Family chosen = Family::natural;
u64 random_state = 0;
u32 steps = 0;  // delayed and alternate: operations of a thread until its block gives way; 0: each has its own number
long lowest = 0, latest = 0;  // ranks: of who lets all others pass; of who was delayed last
u32 gap = 0, until = 0;       // switching: how far the next time is, at most; how far it is
u32 in_vain = 0;              // how often in a row nothing had happened since the last time
u64 seen = 0;                 // what `progress` was then

// Up to 2^bits; as often below 2 as from 2 to 3, as from 4 to 7 and so on.
u32 small_number(u32 bits) { return 1 + random_below(1u << (1 + random_below(bits))); }

void stop_thread(bool is_held) {
  was_interrupted = true;
  if (!lockstep) {
    cur->held = is_held;
    pass_others();
    return;
  }
  cur->warp->held = is_held;
  cur->warp->steps = 0;
}

}  // namespace

Family family() { return chosen; }
bool is_ranked() { return explores || chosen == Family::barriers; }

void choose_family() {
  constexpr Family TURNS[] = {Family::barriers, Family::delayed,   Family::alternate, Family::switching,
                              Family::delayed,  Family::alternate, Family::switching, Family::shuffled};
  constexpr u64 COUNTED = 4;  // rounds of turns in which numbers are counted up
  const u64 s = options.seed, turn = (s - 2) % 8, round = (s - 2) / 8;
  chosen = s == 0 ? Family::natural : s == 1 ? Family::reversed : TURNS[turn];
  explores = chosen == Family::delayed || chosen == Family::alternate || chosen == Family::switching;
  steps = round < COUNTED ? static_cast<u32>(2 * round + (turn < 4 ? 1 : 2)) : 0;
}

u32 random_below(u32 n) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<u32>((random_state >> 33) % n);
}

void begin_exploring() {
  random_state = options.seed * 0x9e3779b97f4a7c15ull + grid->number;
  leaves_block = was_interrupted = false;
  latest = -(1l << 40);
  lowest = -(1l << 50);
  if (chosen != Family::switching) return;
  gap = small_number(8);
  until = 1 + random_below(gap);
  in_vain = 0;
}

void explore_block(Block& b) {
  b.rank = chosen == Family::barriers ? --lowest : 1 + static_cast<long>(random_below(1u << 30));
  b.until = steps != 0 ? steps : random_below(4) == 0 ? 0 : small_number(10);
}

void let_pass(Block& b) { b.rank = --lowest; }

namespace {

void interrupt_block(Block& b) {
  if (++cur->events != b.until) return;
  if (chosen == Family::delayed) {
    b.until = 0;
    b.rank = ++latest;
  } else {
    b.until += steps != 0 ? steps : small_number(10);
    let_pass(b);
  }
  leaves_block = true;
  stop_thread(false);
}

void interrupt_any(Block& b) {
  if (--until != 0) return;
  in_vain = progress == seen ? std::min(in_vain + 1, 16u) : 0;
  seen = progress;
  until = (1 + random_below(gap)) << in_vain;
  const bool is_held = random_below(2) == 0;
  if (!is_held) {
    leaves_block = true;
    if (random_below(2) == 0)
      let_pass(b);
    else
      b.rank = 1 + static_cast<long>(random_below(1u << 30));
  }
  stop_thread(is_held);
}

}  // namespace

void interrupt(bool is_shared) {
  if (chosen == Family::switching)
    interrupt_any(*cur->block);
  else if (!is_shared)
    interrupt_block(*cur->block);
}

void passed_barrier(Block& b) {
  if (chosen != Family::barriers || grid->resident.size() < 2) return;
  let_pass(b);
  leaves_block = true;
  was_interrupted = true;
  if (lockstep && cur != nullptr) cur->warp->steps = 0;
}

}  // namespace emu
