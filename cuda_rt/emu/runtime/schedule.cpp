#include "fences.hpp"
#include "schedule.hpp"

#include <algorithm>
#include <cstring>

#include "cas_reads.hpp"
#include "fiber.hpp"
#include "lockstep.hpp"
#include "memory.hpp"

irgl_emu_uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace emu {

__thread Thread* cur = nullptr;
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
u64 random_state = 0;
u64 seen_progress = 0;
u64 spun = 0, computed = 0;  // basic blocks since the last progress

u32 random_below(u32 n) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<u32>((random_state >> 33) % n);
}

template <class T>
void permute(std::vector<T>& v, std::size_t low, std::size_t high) {
  if (options.seed == 0) return;
  for (std::size_t i = high - low; i > 1; i--) std::swap(v[low + i - 1], v[low + random_below(static_cast<u32>(i))]);
}

u64 shadow_words() { return tls_size / 4 + 1 + (grid->launch->shared + 3) / 4 + 1; }

// Brings a block's shared memory into the window.
void open_window(Block* b) {
  if (window == b) return;
  settle_stored();
  const u64 dynamic = grid->launch->shared;
  if (window != nullptr) {
    window->image.resize(tls_size + dynamic);
    std::memcpy(window->image.data(), reinterpret_cast<void*>(tls_low), tls_size);
    std::memcpy(window->image.data() + tls_size, irgl_emu_dynamic_shared, dynamic);
  }
  window = b;
  if (b->image.empty()) {
    std::memset(reinterpret_cast<void*>(tls_low), 0xA5, tls_size);
    std::memset(irgl_emu_dynamic_shared, 0xA5, dynamic);
  } else {
    std::memcpy(reinterpret_cast<void*>(tls_low), b->image.data(), tls_size);
    std::memcpy(irgl_emu_dynamic_shared, b->image.data() + tls_size, dynamic);
  }
}

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
    permute(b.order, i * 32, std::min<u64>(n, i * 32 + 32));
  }
  if (options.seed != 0 && b.warps.size() > 1) {
    std::rotate(b.order.begin(), b.order.begin() + random_below(static_cast<u32>(b.warps.size())) * 32, b.order.end());
  }
  b.valid.assign(shadow_words(), 0);
  b.cells.resize(shadow_words());
}

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
  } else if (!grid->cooperative && grid->blocks > 1) {
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
  if (is_stuck(t, blocks)) report_no_progress(t, pc);
  t->last_pc = 0;  // a loop that touches no memory is told by its own line
}

// Runs threads of a block until none can go on. Returns whether any ran.
bool run_block(Block& b) {
  bool ran = false, paused = false;
  open_window(&b);
  if (lockstep) {
    for (bool again = true; again && !grid->aborted;) {
      again = false;
      for (u32 i = 0; i < b.warps.size() && !grid->aborted; i++) {
        Warp& w = b.warps[(i + options.seed) % b.warps.size()];
        w.steps = STEPS;
        w.stepped = 0;
        Thread* t = next_lane(w);
        if (t == nullptr) continue;
        again = ran = true;
        const u64 before = progress;
        resume(t);
        paused = paused || w.steps == 0;
        if (w.steps == 0 && before == progress) check_progress(w.lanes[__builtin_ctz(w.group)], w.stepped);
      }
      if (paused && grid->resident.size() > 1) break;  // another block may do what this one waits for
    }
    return ran;
  }
  while (b.next < b.order.size() && !grid->aborted) {
    Fiber* f = take_fiber();
    Thread* t = &b.threads[b.order[b.next++]];
    t->state = State::runnable;
    t->fiber = f;
    ran = true;
    resume(t);
  }
  for (bool again = true; again && !grid->aborted;) {
    again = false;
    for (const u32 i : b.order) {
      Thread* t = &b.threads[i];
      if (t->state != State::runnable || grid->aborted) continue;
      again = ran = true;
      resume(t);
      if (t->state != State::runnable) continue;
      paused = true;
      check_progress(t, SLICE);
    }
    if (paused && grid->resident.size() > 1) break;
  }
  return ran;
}

}  // namespace

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
  if (!is_stuck(t, threads)) return;
  cur = t;
  error("no-progress", t->site.pc[0],
        text("no progress: %s and others meet here again and again, and no memory changes: what they wait for will not "
             "come",
             who(t).c_str()));
  finish();
}

void pass_others() {
  budget = SLICE;
  if (cur != nullptr) leave(cur->fiber);
}

void stop(u32 pc, u64 address, u64 size, bool memory, void* frame) {
  Thread* t = cur;
  t->pc = pc;
  t->depth = static_cast<u32>(reinterpret_cast<u64>(t->fiber->stack) + STACK - reinterpret_cast<u64>(frame));
  leave(t->fiber);
  if (memory) {
    Warp& w = *t->warp;
    w.shared_access = address - HEAP >= HEAP_SIZE && (address < section_low || address >= section_high);
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

void run_grid() {
  static std::vector<Block*> pool;
  static std::vector<u8> saved;
  saved.resize(tls_size);
  std::memcpy(saved.data(), reinterpret_cast<void*>(tls_low), tls_size);
  random_state = options.seed * 0x9e3779b97f4a7c15ull + grid->number;
  window = nullptr;
  grid->serial = ++now;
  begin_fences();
  seen_progress = ++progress;
  spun = computed = 0;
  stored.size = 0;
  const u64 n = grid->blocks;
  blockDim = {grid->block.x, grid->block.y, grid->block.z};
  gridDim = {grid->grid.x, grid->grid.y, grid->grid.z};
  const u64 at_once = grid->cooperative ? n : 1;
  while (pool.size() < at_once) pool.push_back(new Block);
  std::vector<u32> numbers(n);
  for (u64 i = 0; i < n; i++) numbers[i] = static_cast<u32>(i);
  permute(numbers, 0, n);
  for (u64 first = 0; first < n && !grid->aborted; first += at_once) {
    grid->resident.clear();
    for (u64 i = 0; i < at_once; i++) {
      start_block(*pool[i], numbers[first + i]);
      grid->resident.push_back(pool[i]);
    }
    window = nullptr;
    grid->live = static_cast<u32>(at_once * grid->threads);
    while (grid->live > 0 && !grid->aborted) {
      bool ran = false;
      for (Block* b : grid->resident) {
        if (b->live > 0 && !grid->aborted) ran = run_block(*b) || ran;
      }
      if (ran) continue;
      for (Block* b : grid->resident) ran = ran || (b->live > 0 && resolve_stuck(*b));
      if (!ran && !grid->aborted) {
        fprintf(stderr, "irgl emulator: no thread can run\n");
        std::abort();
      }
    }
  }
  settle_cas_reads();
  if (lockstep) end_phase();
  std::memcpy(reinterpret_cast<void*>(tls_low), saved.data(), tls_size);
  window = nullptr;
}

}  // namespace emu
