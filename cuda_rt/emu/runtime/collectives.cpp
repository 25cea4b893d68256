// Barriers, votes and shuffles: who waits for whom, and what is wrong with it.
#include <algorithm>
#include <cstring>

#include "memory.hpp"
#include "report.hpp"
#include "schedule.hpp"

namespace emu {

namespace {

const char* const WARP_NAMES[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",    "__shfl_down_sync",
                                  "__shfl_xor_sync",   "__ballot_sync",     "__any_sync",        "__all_sync",
                                  "__match_any_sync",  "__match_all_sync",  "__reduce_add_sync", "__reduce_min_sync",
                                  "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync",
                                  "__reduce_or_sync",  "__reduce_xor_sync"};

bool same_site(const Site& a, const Site& b) {
  if (a.depth == b.depth && std::memcmp(a.pc, b.pc, sizeof(u32) * a.depth) == 0) return true;
  return same_lines(a, b);
}

std::string standing(const Thread* t) {
  switch (t->state) {
    case State::done: return "has ended";
    case State::at_block: return "waits at the block barrier of " + where(t->site.pc[0]);
    case State::at_grid: return "waits at the grid barrier of " + where(t->site.pc[0]);
    case State::at_warp:
      return text("waits at %s of %s with the mask 0x%08x", WARP_NAMES[t->op], where(t->site.pc[0]).c_str(), t->mask);
    case State::at_active: return "waits at __activemask of " + where(t->site.pc[0]);
    default: return "is elsewhere";
  }
}

void complete_block(Block& b) {
  counters.block_barriers++;
  progress++;
  b.serial = ++now;
  b.result_all = b.all;
  b.result_any = b.any;
  b.result_count = b.count;
  b.all = 1;
  b.any = b.count = 0;
  b.arrived = 0;
  b.first = b.mixed = nullptr;
  for (Thread& t : b.threads) {
    if (t.state == State::at_block) release(&t);
  }
}

// Tells of threads that this barrier waits for in vain.
void report_missed(Block& b) {
  u32 missing = 0;
  const Thread* one = nullptr;
  for (const Thread& t : b.threads) {
    if (t.state == State::at_block) continue;
    missing++;
    if (one == nullptr) one = &t;
  }
  Thread* saved = cur;
  cur = b.first;
  error("barrier-missed", b.first->site.pc[0],
        text("%s waits at this barrier of all threads of its block, but %u of %u never come: %s %s",
             who(b.first).c_str(), missing, grid->threads, who(one).c_str(), standing(one).c_str()));
  cur = saved;
}

void report_mixed(Block& b) {
  Thread* saved = cur;
  cur = b.mixed;
  error("barrier-mixed", b.mixed->site.pc[0],
        text("two different barriers meet: %s waits here while %s waits at %s", who(b.mixed).c_str(),
             who(b.first).c_str(), where(b.first->site.pc[0]).c_str()),
        b.first->site.pc[0]);
  cur = saved;
}

bool try_block(Block& b) {
  if (b.arrived == 0 || b.arrived != b.live) return false;
  if (b.mixed != nullptr) report_mixed(b);
  if (b.live != grid->threads) report_missed(b);
  complete_block(b);
  return true;
}

bool try_grid() {
  if (grid->arrived == 0 || grid->arrived != grid->live) return false;
  const u64 all = grid->blocks * grid->threads;
  if (grid->live != all) {
    Thread* saved = cur;
    cur = grid->first;
    error("grid-sync", grid->first->site.pc[0],
          text("%s waits at this barrier of the whole grid, but %lu of its %lu "
               "threads have ended and never come",
               who(grid->first).c_str(), all - grid->live, all));
    cur = saved;
  }
  counters.grid_barriers++;
  progress++;
  grid->serial = ++now;
  grid->arrived = 0;
  grid->first = nullptr;
  for (Block* b : grid->resident) {
    b->at_grid = 0;
    b->serial = now;
    for (Thread& t : b->threads) {
      if (t.state == State::at_grid) release(&t);
    }
  }
  return true;
}

// Orders memory among the lanes of a mask.
void order_lanes(Warp& w, u32 mask) {
  ++now;
  if ((mask & w.live) == w.live) {
    w.serial = now;
    return;
  }
  if (w.clock == nullptr) w.clock = new Clock;
  u32 joined[32];
  for (u32 j = 0; j < 32; j++) {
    joined[j] = mask >> j & 1 ? now : 0;
    for (u32 m = mask; m != 0; m &= m - 1) joined[j] = std::max(joined[j], w.clock->seen[__builtin_ctz(m)][j]);
  }
  for (u32 m = mask; m != 0; m &= m - 1) std::memcpy(w.clock->seen[__builtin_ctz(m)], joined, sizeof joined);
}

u64 reduce(int op, u64 a, u64 b) {
  const auto x = static_cast<u32>(a), y = static_cast<u32>(b);
  const auto sx = static_cast<int>(x), sy = static_cast<int>(y);
  switch (op) {
    case IRGL_REDUCE_ADD: return x + y;
    case IRGL_REDUCE_MIN: return static_cast<u32>(std::min(sx, sy));
    case IRGL_REDUCE_MAX: return static_cast<u32>(std::max(sx, sy));
    case IRGL_REDUCE_UMIN: return std::min(x, y);
    case IRGL_REDUCE_UMAX: return std::max(x, y);
    case IRGL_REDUCE_AND: return x & y;
    case IRGL_REDUCE_OR: return x | y;
    default: return x ^ y;
  }
}

// The lane that a shuffle reads from.
u32 source_lane(const Thread& t) {
  const u32 width = static_cast<u32>(t.extra >> 32), b = static_cast<u32>(t.extra), lane = t.lane;
  const u32 low = lane & ~(width - 1);
  switch (t.op) {
    case IRGL_SHFL: return low + (b & (width - 1));
    case IRGL_SHFL_UP: return lane - low >= b ? lane - b : lane;
    case IRGL_SHFL_DOWN: return b < width && lane - low + b < width ? lane + b : lane;
    default: {
      const u32 to = lane ^ b;
      return to < low + width ? to : lane;
    }
  }
}

void complete_warp(Warp& w, u32 mask, u32 present) {
  Thread* some = w.lanes[__builtin_ctz(present)];
  const int op = some->op;
  progress++;
  if (op == IRGL_SYNCWARP) {
    counters.warp_barriers++;
    order_lanes(w, present);
  }
  u64 ballot = 0, joined = some->value;
  for (u32 m = present; m != 0; m &= m - 1) {
    const Thread& t = *w.lanes[__builtin_ctz(m)];
    if (t.value != 0) ballot |= 1u << t.lane;
    if (&t != some && op >= IRGL_REDUCE_ADD) joined = reduce(op, joined, t.value);
  }
  Thread* saved = cur;
  for (u32 m = present; m != 0; m &= m - 1) {
    Thread& t = *w.lanes[__builtin_ctz(m)];
    switch (op) {
      case IRGL_SYNCWARP: break;
      case IRGL_SHFL:
      case IRGL_SHFL_UP:
      case IRGL_SHFL_DOWN:
      case IRGL_SHFL_XOR: {
        const u32 from = source_lane(t);
        if (present >> from & 1) {
          t.result = w.lanes[from]->value;
          break;
        }
        t.result = 0xdeaddeaddeaddeadull;
        cur = &t;
        const Thread* other = w.lanes[from];
        error("inactive-lane", t.site.pc[0],
              text("%s (lane %u) reads lane %u, which %s", who(&t).c_str(), t.lane, from,
                   other == nullptr   ? "does not exist"
                   : mask >> from & 1 ? standing(other).c_str()
                                      : text("the mask 0x%08x does not name", mask).c_str()));
        break;
      }
      case IRGL_BALLOT: t.result = ballot; break;
      case IRGL_ANY: t.result = ballot != 0; break;
      case IRGL_ALL: t.result = ballot == present; break;
      case IRGL_MATCH_ANY:
      case IRGL_MATCH_ALL: {
        u32 equal = 0;
        for (u32 k = present; k != 0; k &= k - 1) {
          if (w.lanes[__builtin_ctz(k)]->value == t.value) equal |= k & -k;
        }
        t.result = op == IRGL_MATCH_ANY || equal == present ? equal : 0;
        break;
      }
      default: t.result = joined;
    }
  }
  cur = saved;
  for (u32 m = present; m != 0; m &= m - 1) release(w.lanes[__builtin_ctz(m)]);
}

// The lanes that wait at the same collective as t.
u32 gathered(const Thread& t) {
  u32 there = 0;
  for (u32 m = t.mask & t.warp->live; m != 0; m &= m - 1) {
    const Thread& o = *t.warp->lanes[__builtin_ctz(m)];
    if (&o == &t || (o.state == State::at_warp && o.op == t.op && o.mask == t.mask && same_site(o.site, t.site))) {
      there |= m & -m;
    }
  }
  return there;
}

void report_lanes(Thread& t, u32 missing) {
  Thread* saved = cur;
  cur = &t;
  const Thread* o = t.warp->lanes[__builtin_ctz(missing)];
  const bool barriers =
      t.op == IRGL_SYNCWARP && o->state == State::at_warp && o->op == IRGL_SYNCWARP && o->mask == t.mask;
  if (barriers) {
    error("barrier-mixed", t.site.pc[0],
          text("two different barriers meet: %s (lane %u) waits here while %s (lane %u) %s", who(&t).c_str(), t.lane,
               who(o).c_str(), o->lane, standing(o).c_str()));
  } else {
    error("mask", t.site.pc[0],
          text("the mask 0x%08x of %s by %s names lane %u, which does not take part: it %s", t.mask, WARP_NAMES[t.op],
               who(&t).c_str(), o->lane, standing(o).c_str()));
  }
  cur = saved;
}

// Does the collective that t waits at have all its lanes?
bool try_warp(Thread& t, bool last) {
  Warp& w = *t.warp;
  const u32 named = t.mask & w.exists;
  for (u32 m = named & w.live; m != 0;) {
    const u32 lane = 31 - __builtin_clz(m);
    m &= ~(1u << lane);
    if (w.lanes[lane]->state != State::at_warp) return false;
  }
  const u32 there = gathered(t);
  if (there != (named & w.live)) return false;
  u32 ended = named & ~w.live;
  if (t.op == IRGL_SYNCWARP) {  // lanes may return early, as long as they never met others
    for (u32 m = ended; m != 0; m &= m - 1) {
      if (!w.lanes[__builtin_ctz(m)]->met) ended &= ~(m & -m);
    }
  }
  if (ended != 0) {
    if (!last) return false;  // told when nothing else can run, whatever the order in which lanes came
    report_lanes(t, ended);
  }
  complete_warp(w, t.mask, there);
  return true;
}

bool release_active(Warp& w) {
  const Thread* best = nullptr;
  for (u32 m = w.live; m != 0; m &= m - 1) {
    const Thread* t = w.lanes[__builtin_ctz(m)];
    if (t->state != State::at_active) continue;
    if (best == nullptr || t->depth > best->depth || (t->depth == best->depth && t->site.pc[0] < best->site.pc[0]))
      best = t;
  }
  if (best == nullptr) return false;
  const Site site = best->site;
  u32 mask = 0;
  for (u32 m = w.live; m != 0; m &= m - 1) {
    const Thread* t = w.lanes[__builtin_ctz(m)];
    if (t->state == State::at_active && same_site(t->site, site)) mask |= m & -m;
  }
  for (u32 m = mask; m != 0; m &= m - 1) {
    Thread* t = w.lanes[__builtin_ctz(m)];
    t->result = mask;
    release(t);
  }
  progress++;
  return true;
}

}  // namespace

void thread_ended(Thread* t) {
  Block& b = *t->block;
  b.live--;
  grid->live--;
  t->warp->live &= ~(1u << t->lane);
  if (b.arrived != 0) try_block(b);
  if (grid->arrived != 0) try_grid();
}

bool resolve_stuck(Block& b) {
  bool freed = false;
  for (Warp& w : b.warps) freed = release_active(w) || freed;
  if (freed) return true;
  for (Warp& w : b.warps) {
    for (u32 m = w.live; m != 0; m &= m - 1) {
      Thread& t = *w.lanes[__builtin_ctz(m)];
      if (t.state == State::at_warp) freed = try_warp(t, true) || freed;
    }
  }
  if (freed) return true;
  for (Warp& w : b.warps) {
    for (u32 m = w.live; m != 0; m &= m - 1) {
      Thread& t = *w.lanes[__builtin_ctz(m)];
      if (t.state != State::at_warp) continue;
      const u32 there = gathered(t);
      report_lanes(t, t.mask & w.exists & ~there);
      complete_warp(w, t.mask, there);
      return true;
    }
  }
  if (b.arrived != 0) {
    report_missed(b);
    complete_block(b);
    return true;
  }
  if (grid->arrived != 0) return try_grid();
  return false;
}

}  // namespace emu

using namespace emu;

#define EMU_FRAME __builtin_frame_address(0)

extern "C" int irgl_emu_block_barrier(int op, int predicate) {
  const u32 pc = EMU_PC;
  Thread* t = cur;
  if (t == nullptr) refuse(pc, "a barrier in host code");
  Block& b = *t->block;
  t->site = site_here(EMU_FRAME, pc);
  t->met = true;
  t->op = op;
  t->pc = pc;
  if (b.first == nullptr)
    b.first = t;
  else if (b.mixed == nullptr && !same_site(b.first->site, t->site))
    b.mixed = t;
  b.all &= predicate != 0;
  b.any |= predicate != 0;
  b.count += predicate != 0;
  b.arrived++;
  t->state = State::at_block;
  if (!try_block(b) || lockstep) wait_here(t->state);
  switch (op) {
    case IRGL_SYNC_AND: return static_cast<int>(b.result_all);
    case IRGL_SYNC_OR: return static_cast<int>(b.result_any);
    case IRGL_SYNC_COUNT: return static_cast<int>(b.result_count);
    default: return 0;
  }
}

extern "C" void irgl_emu_grid_barrier() {
  const u32 pc = EMU_PC;
  Thread* t = cur;
  if (t == nullptr) refuse(pc, "a barrier in host code");
  if (!grid->cooperative) {
    error("grid-sync", pc,
          text("%s waits for the whole grid, but this launch is not cooperative: use "
               "cudaLaunchCooperativeKernel",
               who(t).c_str()));
    finish();
  }
  t->site = site_here(EMU_FRAME, pc);
  t->met = true;
  t->pc = pc;
  if (grid->first == nullptr) grid->first = t;
  t->block->at_grid++;
  grid->arrived++;
  t->state = State::at_grid;
  if (!try_grid() || lockstep) wait_here(t->state);
}

extern "C" unsigned long irgl_emu_warp(int op, unsigned mask, unsigned long value, unsigned long extra) {
  const u32 pc = EMU_PC;
  Thread* t = cur;
  if (t == nullptr) refuse(pc, text("%s in host code", WARP_NAMES[op]));
  if ((mask >> t->lane & 1) == 0) {
    error("mask", pc,
          text("%s is lane %u, which the mask 0x%08x of its own %s does not name", who(t).c_str(), t->lane, mask,
               WARP_NAMES[op]));
    return value;
  }
  t->site = site_here(EMU_FRAME, pc);
  t->met = true;
  t->op = op;
  t->mask = mask;
  t->value = value;
  t->extra = extra;
  t->pc = pc;
  t->state = State::at_warp;
  if (!try_warp(*t, false) || lockstep) wait_here(t->state);
  return t->result;
}

// Lanes gather here until no other lane of the warp can run; then those at one place make a group.
static unsigned gather(u32 pc, void* frame) {
  Thread* t = cur;
  if (t == nullptr) refuse(pc, "__activemask in host code");
  t->site = site_here(frame, pc);
  t->met = true;
  t->pc = pc;
  wait_here(State::at_active);
  return static_cast<unsigned>(t->result);
}
extern "C" unsigned irgl_emu_coalesced() { return gather(EMU_PC, EMU_FRAME); }
extern "C" unsigned irgl_emu_activemask() {
  const u32 pc = EMU_PC;
  report(Level::warning, "activemask", pc, 0,
         "which lanes __activemask finds is not defined: make the mask with __ballot_sync where the lanes part");
  return gather(pc, EMU_FRAME);
}
extern "C" int irgl_emu_is_cooperative() { return grid != nullptr && grid->cooperative ? 1 : 0; }
