#include "explore.hpp"

#include <algorithm>

#include "schedule.hpp"

namespace emu {

bool leaves_block = false, was_interrupted = false, explores = false;

namespace {

Family chosen = Family::natural;
u64 random_state = 0;
long lowest = 0;      // rank that a block was given
u32 one_of = 0;    // delayed: one of so many is
u32 most_events = 0;  // delayed: a block gives way at one of so many
u32 gap = 0, until = 0;  // switching: how far the next time is, at most; how far it is
u32 in_vain = 0;         // how often in a row nothing had happened since the last time
u64 seen = 0;            // what `progress` was then

// A number up to `most`, as often below 8 as between 8 and 64.
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
  constexpr Family TURNS[] = {Family::barriers, Family::delayed, Family::switching, Family::shuffled};
  const u64 s = options.seed;
  chosen = s == 0 ? Family::natural : s == 1 ? Family::reversed : TURNS[(s - 2) % 4];
  explores = chosen == Family::delayed || chosen == Family::switching;
}

u32 random_below(u32 n) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<u32>((random_state >> 33) % n);
}

void begin_exploring() {
  random_state = options.seed * 0x9e3779b97f4a7c15ull + grid->number;
  leaves_block = was_interrupted = false;
  lowest = 0;
  if (!explores) return;
  const u32 n = static_cast<u32>(std::min<u64>(grid->blocks, 1u << 30));
  const u32 shares[] = {n, 2, 1};
  one_of = shares[random_below(3)];
  most_events = 2 + random_below(11);
  gap = small_number(8);
  until = 1 + random_below(gap);
  in_vain = 0;
}

void explore_block(Block& b) {
  b.rank = chosen == Family::barriers ? --lowest : 1 + static_cast<long>(random_below(1u << 30));
  b.until = chosen == Family::delayed && random_below(one_of) == 0 ? small_number(most_events) : 0;
}

void let_pass(Block& b) { b.rank = --lowest; }

void interrupt(bool is_shared) {
  Block& b = *cur->block;
  if (chosen == Family::delayed) {
    if (is_shared || b.until == 0 || --b.until != 0) return;
    if (random_below(2) == 0) b.until = small_number(most_events);
    let_pass(b);
    leaves_block = true;
    stop_thread(false);
    return;
  }
  if (--until != 0) return;
  in_vain = progress == seen ? std::min(in_vain + 1, 16u) : 0;
  seen = progress;
  until = (1 + random_below(gap)) << in_vain;
  const bool is_held = random_below(2) == 0;
  if (!is_held) {
    leaves_block = true;
    random_below(2) == 0 ? let_pass(b) : void(b.rank = 1 + static_cast<long>(random_below(1u << 30)));
  }
  stop_thread(is_held);
}

void passed_barrier(Block& b) {
  if (chosen != Family::barriers || grid->resident.size() < 2) return;
  let_pass(b);
  leaves_block = true;
  was_interrupted = true;
  if (lockstep && cur != nullptr) cur->warp->steps = 0;
}

}  // namespace emu
