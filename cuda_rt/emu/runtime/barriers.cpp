// Barriers of a block and of the grid: who is missing, and which two of them meet.
#include <cstring>

#include "collectives.hpp"
#include "explore.hpp"
#include "fences.hpp"
#include "lockstep.hpp"
#include "memory.hpp"
#include "report.hpp"
#include "rounds.hpp"
#include "schedule.hpp"

namespace emu {

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
  if (b.first != nullptr) note_meeting(b.first, b.arrived);
  b.serial = ++now;
  if (is_fenced) share_in_block(b);
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
  passed_barrier(b);
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
  rounds[last_round()].grid_barriers++;
  if (lockstep) end_phase();
  note_meeting(grid->first, grid->arrived);
  grid->serial = ++now;
  grid->arrived = 0;
  grid->first = nullptr;
  for (Block* b : grid->resident) {
    b->at_grid = 0;
    b->serial = now;
    b->idle = false;
    for (Thread& t : b->threads) {
      if (t.state == State::at_grid) release(&t);
    }
  }
  return true;
}

}  // namespace emu

using namespace emu;

#define EMU_FRAME __builtin_frame_address(0)

extern "C" int irgl_emu_block_barrier(int op, int predicate) {
  const u32 pc = EMU_PC;
  Thread* t = cur;
  if (t == nullptr) refuse(pc, "a barrier in host code");
  Block& b = *t->block;
  may_give_way(false);
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
  if (!try_block(b) || lockstep)
    wait_here(t->state);
  else if (leaves_block)
    pass_others();
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
