// What the emulator knows of a running grid: threads, warps, blocks. One OS thread runs it all, so nothing here is
// locked; others may compute beside it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../include/irgl_emu/abi.h"

namespace emu {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum class Mode { check, lockstep, fast };
enum class Managed { whole, pages, none };  // managed memory: there from the start, once it is touched, never

struct Options {
  Mode mode = Mode::check;
  u64 seed = 0;
  bool strict = false;  // warnings are errors
  bool weaver = false;  // each block has SparseWeaver's unit
  u32 devices = 1;     // all alike
  u32 processors = 4;  // streaming multiprocessors of a pretended device
  u64 l1 = 128 << 10, l2 = 4 << 20;  // bytes of caches: of a multiprocessor, of the device
  u32 arch = 90;       // compute capability, in tenths
  u32 registers = 32;  // of a thread: g++ doesn't know how many nvcc would take
  u64 memory = 8ull << 30;
  Managed managed = Managed::whole;
  u64 rounds = 100000;  // that are told one by one: beyond these all are one (rounds.hpp)
  u64 patience = 2000000;         // basic blocks that threads may spin on one address without progress
  u64 long_patience = 100000000;  // basic blocks that threads may compute without any effect
};
extern Options options;
constexpr int MOST_DEVICES = 16;

// Where a call came from: its own return address and those of its callers up to the kernel.
struct Site {
  u32 pc[6] = {};
  u32 depth = 0;
};

enum class State : u8 { unstarted, runnable, at_warp, at_block, at_grid, at_active, done };

struct Fiber {
  void* sp = nullptr;
  u8* stack = nullptr;
  Fiber* next = nullptr;
};

struct Warp;
struct Block;
struct Grid;

struct Thread {
  irgl_emu_uint3 idx;
  u32 id = 0;      // block << 10 | number in the block: who, in shadow cells
  u32 number = 0;  // in the block
  u32 lane = 0;
  State state = State::unstarted;
  Fiber* fiber = nullptr;
  Warp* warp = nullptr;
  Block* block = nullptr;
  // the collective it waits at
  Site site;
  int op = 0;
  u32 mask = 0;
  u64 value = 0, extra = 0, result = 0;
  // lockstep: where it stands
  u32 pc = 0;
  u32 depth = 0;
  // no-progress: what it did in its slice
  u64 watched = 0;
  u32 same = 0, other = 0, last_pc = 0;
  u32 events = 0;  // operations at which it may give way
  bool met = false;  // other threads at a collective
  bool held = false;  // it runs when the others of its block can't
  u32 last_write = 0;  // stamp of its last write to global memory
  u32 rounds = 0;      // how often it has told of them (rounds.hpp)
};

struct Clock {  // what each lane has seen of each other lane: stamps, made by partial __syncwarp
  u32 seen[32][32] = {};
};

struct Warp {
  Block* block = nullptr;
  Thread* lanes[32] = {};
  u32 exists = 0, live = 0;
  u32 serial = 0;  // stamp of the last __syncwarp of all its live lanes
  Clock* clock = nullptr;
  // lockstep
  u32 group = 0, left = 0, steps = 0;
  bool held = false;  // it runs when the others of its block can't
  u32 stepped = 0;  // basic blocks of its lanes since it has had its steps
  u32 phase_steps = 0, phase_loads = 0;  // since the launch or the last grid barrier
  u32 memory_lanes = 0;
  u64 address[32];
  u8 size[32];
  bool shared_access = false, past_l1 = false;
  u32 round = 0;  // that it is in (rounds.hpp)
};

struct Cell;
struct Unit;  // weaver.cpp

struct Block {
  irgl_emu_uint3 idx;
  u32 number = 0;
  Grid* grid = nullptr;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<u32> order;  // in which threads start
  u32 next = 0;            // of order
  u32 live = 0, arrived = 0, at_grid = 0;
  u32 serial = 0;           // stamp of the last barrier
  u32 released = 0;         // stamp of the last one that all writes of its threads came to with a fence behind them
  Thread* first = nullptr;  // that came to the barrier
  Thread* mixed = nullptr;  // that came to another one
  // whose turn it is (turns.cpp)
  long rank = 0;
  u64 spun_at = 0;      // what `progress` was when the block was last seen to spin
  u64 turn = 0;         // which of its threads or warps comes first in its next one
  bool started = false, idle = false;  // none of its threads can run
  u32 until = 0;        // it gives way once a thread has come to so many operations; 0: it doesn't
  u32 all = 1, any = 0, count = 0;
  u32 result_all = 0, result_any = 0, result_count = 0;
  std::vector<u8> image;  // its shared memory, while another block has the window
  std::vector<u8> valid;  // per 4 bytes: which bytes were written
  std::vector<Cell> cells;
  Unit* unit = nullptr;
};

struct Grid {
  const irgl_emu_launch* launch = nullptr;
  u32 pc = 0;  // of the launch
  irgl_emu_dim3 grid, block;
  u32 number = 0;   // of launches so far
  int device = 0;   // that it runs on
  u32 threads = 0;  // of a block
  u64 blocks = 0;
  bool cooperative = false;
  u64 at_once = 0;  // blocks that fit on the device
  bool together = false;  // all its blocks are there
  u32 serial = 0;  // stamp of the launch or the last grid barrier
  std::vector<Block*> resident;
  std::vector<std::pair<u32, u32>> beside;  // stamps of kernels in other streams that nothing orders
  u64 live = 0;  // threads that have not ended
  u32 arrived = 0;
  Thread* first = nullptr;
  bool aborted = false;
};

extern __thread Thread* cur;  // the device thread that runs now, or null on the host
extern __thread u64 last_part;  // host: the word that the thread has written a part of, or is about to (host.cpp)
extern Grid* grid;     // the running grid
extern Block* window;  // whose shared memory lies in the window
extern u32 now;        // the stamp: counts synchronizations
extern u64 changes;    // counts writes
extern u64 progress;   // counts what a stuck program does not do
extern bool checks, lockstep;

inline u32 pc_of(void* return_address) { return static_cast<u32>(reinterpret_cast<u64>(return_address)) - 1; }
#define EMU_PC ::emu::pc_of(__builtin_return_address(0))

}  // namespace emu

extern "C" irgl_emu_uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace emu {
inline void run_as(Thread* t) {
  cur = t;
  threadIdx = t->idx;
  blockIdx = t->block->idx;
}
}  // namespace emu
