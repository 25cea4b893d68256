// Whose turn it is: which blocks are on the device, and which of them runs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_set>

#include "cas_reads.hpp"
#include "explore.hpp"
#include "fences.hpp"
#include "lockstep.hpp"
#include "memory.hpp"
#include "rounds.hpp"
#include "schedule.hpp"

namespace emu {

namespace {

constexpr u64 MOST_THREADS = 8192, MOST_BYTES = 256 << 20;  // of blocks that are explored together

std::vector<Block*>& spare = *new std::vector<Block*>;
std::vector<u32> numbers;  // of blocks, in the order in which they begin
u64 next = 0;              // of numbers
auto& waiting = *new std::unordered_set<std::string>;  // kernels whose blocks wait for others
struct {
  u32 pc = 0;
  std::string sentence;
} wait;  // that is told if it ends

void order_blocks() {
  const u64 n = grid->blocks;
  numbers.resize(n);
  for (u64 i = 0; i < n; i++) numbers[i] = static_cast<u32>(family() == Family::reversed ? n - 1 - i : i);
  shuffle(numbers, 0, n);
}

// How many blocks are there at a time.
u64 slots() {
  if (grid->together) return grid->blocks;
  if (!is_ranked()) return 1;
  const u64 bytes = 14 * (tls_size + grid->launch->shared) + 1;
  return std::min(grid->at_once, std::max<u64>(2, std::min(MOST_THREADS / grid->threads, MOST_BYTES / bytes)));
}

void fill() {
  const u64 n = std::min(slots(), grid->blocks);
  while (grid->resident.size() < n && next < grid->blocks) {
    if (spare.empty()) spare.push_back(new Block);
    Block* b = spare.back();
    spare.pop_back();
    b->number = numbers[next++];
    b->started = b->idle = false;
    b->live = grid->threads;
    b->spun_at = b->turn = 0;
    explore_block(*b);
    if (!is_ranked()) let_pass(*b);
    if (grid->together) start_block(*b, b->number);
    grid->resident.push_back(b);
  }
}

// The block of the highest rank, of those that can run and do not spin; else one that spins; else one that begins.
Block* choose() {
  Block *best = nullptr, *spinning = nullptr, *unstarted = nullptr;
  const auto above = [](const Block* a, const Block* b) { return b == nullptr || a->rank > b->rank; };
  for (Block* b : grid->resident) {
    if (b->idle) continue;
    if (b->started && b->spun_at == progress) {
      if (above(b, spinning)) spinning = b;
    } else {
      if (above(b, best)) best = b;
      if (!b->started && above(b, unstarted)) unstarted = b;
    }
  }
  // Where nobody but those that have not begun could end a wait, it is told of.
  if (spinning != nullptr && best != nullptr && !best->started && !grid->together) {
    for (const Block* b : grid->resident) {
      if (b->started && !b->idle && b->spun_at != progress) return best;
    }
    best = nullptr;
  }
  Block* b = best != nullptr ? best : spinning != nullptr ? spinning : unstarted;
  if (b != nullptr && (b == spinning || !is_ranked())) let_pass(*b);
  return b;
}

void retire(Block* b) {
  std::vector<Block*>& r = grid->resident;
  r.erase(std::find(r.begin(), r.end(), b));
  if (window == b) window = nullptr;
  spare.push_back(b);
}

void run_blocks() {
  for (fill(); !grid->resident.empty() && !grid->aborted; fill()) {
    Block* b = choose();
    if (b != nullptr) {
      if (!b->started) start_block(*b, b->number);
      if (!run_block(*b)) b->idle = true;
      if (b->live == 0) retire(b);
      continue;
    }
    bool freed = false;
    for (u64 i = 0; i < grid->resident.size() && !freed; i++) {
      freed = resolve_stuck(*grid->resident[i]);
      if (freed) grid->resident[i]->idle = false;
    }
    if (!freed && !grid->aborted) {
      fprintf(stderr, "irgl emulator: no thread can run\n");
      std::abort();
    }
  }
}

}  // namespace

bool admit_others(const Thread* t, u32 pc) {
  if (grid->together || grid->blocks > grid->at_once || grid->blocks < 2) return false;
  const bool all_began = next == grid->blocks &&
                         std::all_of(grid->resident.begin(), grid->resident.end(), [](Block* b) { return b->started; });
  if (all_began) return false;
  wait.pc = pc;
  wait.sentence = text(
      "%s waits here for a block that may not have begun: this launch is not cooperative, and it ends only since all "
      "its %lu blocks fit on the device at once, which has room for %lu; launch it by cudaLaunchCooperativeKernel, "
      "which promises that they run together; in kernel %s",
      who(t).c_str(), grid->blocks, grid->at_once, grid->launch->name);
  waiting.insert(grid->launch->name);
  grid->together = leaves_block = true;
  return true;
}

void run_grid() {
  static std::vector<u8> saved;
  saved.resize(tls_size);
  std::memcpy(saved.data(), reinterpret_cast<void*>(tls_low), tls_size);
  window = nullptr;
  grid->serial = ++now;
  begin_fences();
  begin_waiting();
  begin_exploring();
  round_events.clear();
  blockDim = {grid->block.x, grid->block.y, grid->block.z};
  gridDim = {grid->grid.x, grid->grid.y, grid->grid.z};
  grid->together = grid->cooperative || (grid->blocks <= grid->at_once && waiting.count(grid->launch->name) != 0);
  grid->live = grid->blocks * grid->threads;
  wait.pc = 0;
  next = 0;
  order_blocks();
  run_blocks();
  spare.insert(spare.end(), grid->resident.begin(), grid->resident.end());
  settle_cas_reads();
  cur = nullptr;
  if (wait.pc != 0) report(Level::warning, "waits-for-blocks", wait.pc, 0, wait.sentence);
  if (lockstep) end_phase();
  grid->resident.clear();
  std::memcpy(reinterpret_cast<void*>(tls_low), saved.data(), tls_size);
  window = nullptr;
}

}  // namespace emu
