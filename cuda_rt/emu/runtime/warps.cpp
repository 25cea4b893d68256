// Operations of the lanes that a mask names: barriers, votes, shuffles, reductions; and what frees threads that wait.
#include <algorithm>
#include <cstring>

#include "collectives.hpp"
#include "fences.hpp"
#include "memory.hpp"
#include "report.hpp"
#include "schedule.hpp"

namespace emu {

namespace {

// Orders memory among the lanes of a mask.
void order_lanes(Warp& w, u32 mask) {
  ++now;
  if (is_fenced) share_in_warp(w, mask);
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
  note_meeting(some, static_cast<u64>(__builtin_popcount(present)));
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
        t.result = t.value;  // which is not told of a second time, as garbage might be
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
  if (b.live == 0) end_unit(b);
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
