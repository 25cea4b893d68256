#include "fences.hpp"
#include "schedule.hpp"

#include <algorithm>
#include <cstring>

#include "explore.hpp"
#include "fiber.hpp"
#include "lockstep.hpp"
#include "memory.hpp"
#include "rounds.hpp"

irgl_emu_uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace emu {

__thread Thread* cur = nullptr;
__thread u64 last_part = 0;
Grid* grid = nullptr;
Block* window = nullptr;
u32 now = 1;
u64 progress = 0, changes = 0;
bool checks = true, lockstep = false;
Options options;
long budget = 0;
u64 slices = 0;
Stored stored;

namespace {

constexpr long SLICE = 20000;  // basic blocks
constexpr u32 STEPS = 4000;    // of a warp in lockstep
constexpr u32 ROUNDS = 4;      // of slices, until a block has had its turn
constexpr u32 MEETINGS = 64;   // in vain, until others have theirs
u64 seen_progress = 0;
u64 spun = 0, computed = 0;  // basic blocks since the last progress
u32 meetings = 0;            // since then
u64 blocks_used = 0;         // of the slice that the last thread had

u64 shadow_words() { return tls_size / 4 + 1 + (grid->launch->shared + 3) / 4 + 1; }

// What lies in the window, but for the runtime's own variables, which a signal may look at meanwhile: `move` is called
// with each part's offset and size.
template <class Move>
void for_window(Move move) {
  const u64 a = reinterpret_cast<u64>(&cur) - tls_low, b = reinterpret_cast<u64>(&last_part) - tls_low;
  const u64 low = std::min(a, b), high = std::max(a, b) + 8;
  move(0, low);
  move(high, tls_size - high);
}

// Brings a block's shared memory into the window.
void open_window(Block* b) {
  if (window == b) return;
  settle_stored();
  const u64 dynamic = grid->launch->shared;
  u8* const all = reinterpret_cast<u8*>(tls_low);
  if (window != nullptr) {
    window->image.resize(tls_size + dynamic);
    u8* const image = window->image.data();
    for_window([&](u64 at, u64 size) { std::memcpy(image + at, all + at, size); });
    std::memcpy(image + tls_size, irgl_emu_dynamic_shared, dynamic);
  }
  window = b;
  if (b->image.empty()) {
    for_window([&](u64 at, u64 size) { std::memset(all + at, 0xA5, size); });
    std::memset(irgl_emu_dynamic_shared, 0xA5, dynamic);
  } else {
    const u8* const image = b->image.data();
    for_window([&](u64 at, u64 size) { std::memcpy(all + at, image + at, size); });
    std::memcpy(irgl_emu_dynamic_shared, image + tls_size, dynamic);
  }
}

}  // namespace

void start_block(Block& b, u32 number) {
  const irgl_emu_dim3 g = grid->grid, d = grid->block;
  b.idx = {number % g.x, number / g.x % g.y, number / g.x / g.y};
  b.number = number;
  b.grid = grid;
  b.live = grid->threads;
  b.next = b.arrived = b.at_grid = 0;
  b.serial = ++now;
  b.released = 0;
  b.first = b.mixed = nullptr;
  b.image.clear();
  const u32 n = grid->threads;
  if (b.threads.size() != n) {
    b.threads.assign(n, Thread{});
    for (Warp& w : b.warps) delete w.clock;
    b.warps.assign((n + 31) / 32, Warp{});
  }
  b.order.resize(n);
  for (u32 i = 0; i < n; i++) {
    Thread& t = b.threads[i];
    t = Thread{};
    t.idx = {i % d.x, i / d.x % d.y, i / d.x / d.y};
    t.id = number << 10 | i;
    t.number = i;
    t.lane = i % 32;
    t.block = &b;
    t.warp = &b.warps[i / 32];
    b.order[i] = i;
  }
  for (u32 i = 0; i < b.warps.size(); i++) {
    Warp& w = b.warps[i];
    delete w.clock;
    w = Warp{};
    w.block = &b;
    for (u32 k = 0; k < 32 && i * 32 + k < n; k++) {
      w.lanes[k] = &b.threads[i * 32 + k];
      w.exists |= 1u << k;
    }
    w.live = w.exists;
    w.round = last_round();
    shuffle(b.order, i * 32, std::min<u64>(n, i * 32 + 32));
  }
  if (family() == Family::reversed) {
    std::reverse(b.order.begin(), b.order.end());
  } else if (options.seed != 0 && b.warps.size() > 1) {
    std::rotate(b.order.begin(), b.order.begin() + random_below(static_cast<u32>(b.warps.size())) * 32, b.order.end());
  }
  b.valid.assign(shadow_words(), 0);
  b.cells.resize(shadow_words());
  b.started = true;
}

namespace {

void resume(Thread* t) {
  if (t->fiber == nullptr) t->fiber = take_fiber();
  run_as(t);
  budget = SLICE;
  slices++;
  Fiber* f = t->fiber;
  switch_to(&host_fiber, f);
  cur = nullptr;
}

// The running fiber can't go on for now.
void leave(Fiber* self) {
  if (is_pending) settle();
  if (lockstep) {
    Thread* t = next_lane(*cur->warp);
    if (t != nullptr) {
      run_as(t);
      if (t->fiber != self) switch_to(self, t->fiber);
      return;
    }
  }
  switch_to(self, &host_fiber);
}

[[noreturn]] void report_no_progress(Thread* t, u32 pc) {
  std::string s = text("no progress: %s spins here, waiting for what no running thread will do", who(t).c_str());
  if (lockstep && starves_others(t)) {
    s = text(
        "no progress: %s spins here, and lanes of its own warp that may end the wait never get their turn where a "
        "warp steps together: let the lane that holds a lock finish inside the loop",
        who(t).c_str());
  } else if (!grid->cooperative && !grid->together && grid->blocks > 1) {
    s += "; the launch is not cooperative, so that blocks must not wait for each other: another block may start only "
         "when this one has ended";
  }
  cur = t;
  error("no-progress", pc, s);
  finish();
}

// Has anything happened since the last call? If not, counts what t has done meanwhile, in basic blocks.
bool is_stuck(Thread* t, u64 blocks) {
  settle_stored();
  if (seen_progress != progress) {
    seen_progress = progress;
    spun = computed = 0;
    return false;
  }
  const bool spins = t->same > t->other / 8 && t->same > 0;
  (spins ? spun : computed) += blocks;
  t->same = t->other = 0;
  return (spun > options.patience && computed <= spun) || computed > options.long_patience;
}

// Called after each slice of a thread (or warp): is anything still happening?
void check_progress(Thread* t, u64 blocks) {
  const u32 pc = t->last_pc != 0 ? t->last_pc : t->pc;
  if (is_stuck(t, blocks)) admit_others(t, pc) ? begin_waiting() : report_no_progress(t, pc);
  t->last_pc = 0;  // a loop that touches no memory is told by its own line
}

bool gave_way() {
  const bool did = was_interrupted;
  was_interrupted = false;
  return did;
}

// Who comes first in a block's next turn, of n: behind the one with which it left this one, so that who waits for
// others of its block, and has it leave again and again, leaves them their turn.
void begin_behind(Block& b, u64 last, u64 n) { b.turn = leaves_block ? (last + 1) % n : 0; }

// One turn of each warp. What came of it: did one run, has one used up its steps?
struct Round {
  bool ran = false, paused = false;
};
Round run_warps(Block& b) {
  Round r;
  const u64 n = b.warps.size(), first = b.turn;
  u64 last = 0;
  for (u64 k = 0; k < n && !grid->aborted && !leaves_block; k++) {
    const u64 i = last = (first + k) % n;
    Warp& w = b.warps[family() == Family::reversed ? n - 1 - i : (i + options.seed) % n];
    if (w.held) continue;
    w.steps = STEPS;
    w.stepped = 0;
    Thread* t = next_lane(w);
    if (t == nullptr) continue;
    r.ran = true;
    const u64 before = progress;
    resume(t);
    const bool is_paused = !gave_way() && w.steps == 0;
    r.paused = r.paused || is_paused;
    if (w.steps == 0 && before == progress) check_progress(w.lanes[__builtin_ctz(w.group)], w.stepped);
  }
  begin_behind(b, last, n);
  return r;
}

// The same, each lane by itself.
Round run_threads(Block& b) {
  Round r;
  while (b.next < b.order.size() && !grid->aborted && !leaves_block) {
    Fiber* f = take_fiber();
    Thread* t = &b.threads[b.order[b.next++]];
    t->state = State::runnable;
    t->fiber = f;
    r.ran = true;
    resume(t);
  }
  was_interrupted = false;
  if (r.ran) return r;
  const u64 n = b.order.size(), first = b.turn;
  u64 last = 0;
  for (u64 k = 0; k < n && !grid->aborted && !leaves_block; k++) {
    last = (first + k) % n;
    Thread* t = &b.threads[b.order[last]];
    if (t->state != State::runnable || t->held) continue;
    r.ran = true;
    resume(t);
    if (t->state != State::runnable) continue;
    r.paused = !gave_way() || r.paused;
    check_progress(t, blocks_used);
  }
  begin_behind(b, last, n);
  return r;
}

bool free_held(Block& b) {
  bool freed = false;
  if (!explores) return false;
  for (Warp& w : b.warps) freed = freed || w.held, w.held = false;
  for (Thread& t : b.threads) freed = freed || t.held, t.held = false;
  return freed;
}

}  // namespace

bool run_block(Block& b) {
  bool ran = false;
  const u64 before = progress;
  open_window(&b);
  leaves_block = false;
  for (u32 rounds = 0; !grid->aborted && !leaves_block;) {
    const Round r = lockstep ? run_warps(b) : run_threads(b);
    ran = ran || r.ran;
    if ((!r.ran || r.paused) && free_held(b)) continue;
    if (!r.ran) break;
    if (!r.paused || grid->resident.size() < 2) continue;
    if (before == progress) b.spun_at = progress;  // another block may do what this one waits for
    if (before != progress && is_ranked() && ++rounds < ROUNDS) continue;
    if (before != progress) let_pass(b);
    break;
  }
  return ran;
}

void fiber_main(Fiber* self) {
  for (;;) {
    grid->launch->entry(grid->launch->data);
    if (is_pending) settle();
    Thread* t = cur;
    t->state = State::done;
    progress++;
    thread_ended(t);
    Block& b = *t->block;
    if (!lockstep && b.next < b.order.size()) {  // the next thread starts on this stack
      run_as(&b.threads[b.order[b.next++]]);
      cur->state = State::runnable;
      cur->fiber = self;
      budget = SLICE;
      continue;
    }
    give_fiber(self);
    leave(self);
  }
}

void wait_here(State state) {
  Thread* t = cur;
  t->state = state;
  leave(t->fiber);
}

void release(Thread* t) { t->state = State::runnable; }

void note_meeting(Thread* t, u64 threads) {
  const u64 before = seen_progress;
  const bool stuck = is_stuck(t, threads);
  meetings = before != seen_progress ? 0 : meetings + 1;
  if (meetings % MEETINGS == MEETINGS - 1 && grid->resident.size() > 1) {
    t->block->spun_at = progress;
    leaves_block = true;
  }
  if (!stuck) return;
  if (admit_others(t, t->site.pc[0])) {
    begin_waiting();
    leaves_block = true;
    return;
  }
  cur = t;
  error("no-progress", t->site.pc[0],
        text("no progress: %s and others meet here again and again, and no memory changes: what they wait for will not "
             "come",
             who(t).c_str()));
  finish();
}

void pass_others() {
  blocks_used = static_cast<u64>(SLICE - budget);
  budget = SLICE;
  if (cur != nullptr) leave(cur->fiber);
}

void stop(u32 pc, u64 address, u64 size, bool memory, void* frame, bool past_l1) {
  Thread* t = cur;
  t->pc = pc;
  t->depth = static_cast<u32>(reinterpret_cast<u64>(t->fiber->stack) + STACK - reinterpret_cast<u64>(frame));
  leave(t->fiber);
  if (memory) {
    Warp& w = *t->warp;
    w.shared_access = address - HEAP >= HEAP_SIZE && (address < section_low || address >= section_high);
    w.past_l1 = past_l1;
    w.address[w.memory_lanes] = address;
    w.size[w.memory_lanes++] = static_cast<u8>(size);
  }
}

void watch(u64 address) {
  Thread* t = cur;
  if (t->watched == address)
    t->same++;
  else if (t->same == 0 || ++t->other > 64)
    t->watched = address, t->same = t->other = 0;
}

Site site_here(void* frame, u32 pc) {
  Site s;
  s.pc[s.depth++] = pc;
  const u64 low = reinterpret_cast<u64>(cur->fiber->stack);
  u64* f = static_cast<u64*>(frame);  // saved frame pointer, return address
  while (s.depth < 6) {
    f = reinterpret_cast<u64*>(*f);
    if (reinterpret_cast<u64>(f) - low >= STACK - 16) break;
    const u64 ra = f[1];
    if (ra == 0) break;
    s.pc[s.depth++] = static_cast<u32>(ra) - 1;
  }
  return s;
}

void abort_grid() {
  grid->aborted = true;
  Thread* t = cur;
  switch_to(t->fiber, &host_fiber);
  __builtin_unreachable();
}

void begin_waiting() {
  seen_progress = ++progress;
  spun = computed = 0;
  meetings = 0;
  stored.size = 0;
}

}  // namespace emu
