// Errors, each told once; source lines; counters; the report at the end.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "state.hpp"

namespace emu {

constexpr int FOUND = 86;  // the exit code of a program in which errors were found

enum class Level { error, warning };

// Tells of a fault at `pc`, unless it was told before. `other` is a second place that belongs to it, or 0.
void report(Level level, const char* kind, u32 pc, u32 other, const std::string& sentence);
inline void error(const char* kind, u32 pc, const std::string& sentence, u32 other = 0) {
  report(Level::error, kind, pc, other, sentence);
}
[[noreturn]] void finish();                                     // ends the program with its report
[[noreturn]] void refuse(u32 pc, const std::string& sentence);  // something the emulator does not cover

std::string where(u32 pc);  // FILE:LINE of a call's return address less one
std::string where_in_kernel(u32 pc);  // the same; in a library's kernel, of its launch
void resolve(const std::vector<u32>& pcs);
bool same_lines(const Site& a, const Site& b);
std::string who(const Thread* t);
std::string who(u32 id);
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

struct Counters {
  u64 launches = 0, cooperative_launches = 0, graph_launches = 0, graph_kernels = 0, grid_barriers = 0,
      block_barriers = 0, launches_beside = 0;  // others, which may still be running in other streams
  u64 warp_barriers = 0, warp_steps = 0, warp_memory = 0, memory_lanes = 0, transactions = 0, bank_conflicts = 0;
  u64 warp_shared = 0;  // of warp_memory: in shared memory
  u64 l1_sectors = 0, l2_sectors = 0, dram_sectors = 0;  // of the transactions: found in L1, asked of L2, not found there
  u64 longest_warp_steps = 0, longest_warp_loads = 0, hottest_atomics = 0;  // summed over phases (lockstep.hpp)
  u64 transfers = 0, bytes_to_device = 0, bytes_to_host = 0, errors = 0, warnings = 0;
  u64 device_bytes = 0, managed_bytes = 0;  // the most that was allocated at a time
  u64 pool_trims = 0;  // how often the pool gave memory back to the system
};
extern Counters counters;
std::map<std::string, long>& own_counters();

struct AtomicSite {
  u32 pc = 0;
  int op = 0;
  bool shared = false;
  u64 n = 0;
};
void count_atomic(u32 pc, int op, bool shared);

}  // namespace emu
