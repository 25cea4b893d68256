#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace emu {

namespace {
std::vector<Allocation>& all = *new std::vector<Allocation>{Allocation{}};  // number 0 is none
u64 top = HEAP + 4096;                                                      // address 0 + a little is never valid
u64 used[MOST_DEVICES], used_by_all = 0, managed = 0;  // of the devices' memory; of managed memory, wherever it is
constexpr u64 REDZONE = 256;

// Does it lower what the device has free? Managed memory of which pages come when they are touched does not.
bool is_on_device(Room room) {
  return room == Room::managed ? options.managed == Managed::whole : room != Room::pinned;
}

void map(u64 address, u64 size) {
  void* p = mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p != reinterpret_cast<void*>(address)) {
    fprintf(stderr, "irgl emulator: can't reserve address space (is there a limit on virtual memory, ulimit -v?)\n");
    _exit(2);
  }
}

// Gives whole pages of [low, high) back; what is left of a page is cleared.
void drop(u64 low, u64 high) {
  const u64 first = (low + 4095) & ~4095ull, last = high & ~4095ull;
  if (first >= last) {
    std::memset(reinterpret_cast<void*>(low), 0, high - low);
    return;
  }
  std::memset(reinterpret_cast<void*>(low), 0, first - low);
  std::memset(reinterpret_cast<void*>(last), 0, high - last);
  madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace

void map_regions() {
  map(HEAP, HEAP_SIZE);
  map(INIT, HEAP_SIZE / 4);
  map(OWNER, HEAP_SIZE / 256 * 4);
  map(CELLS, HEAP_SIZE / 4 * sizeof(Cell));
}

Pool& pool_of(int device) {
  static Pool pools[MOST_DEVICES];
  return pools[device];
}
void Pool::trim(u64 most) {
  if (kept <= most) return;
  kept = most;
  counters.pool_trims++;
}

std::vector<Allocation>& allocations() { return all; }
u64 used_memory(int device) { return used[device]; }

u64 allocate(u64 size, Room room, u32 pc, int device, bool is_pooled) {
  const u64 whole = ((size + 255) & ~255ull) + REDZONE;
  if (whole < size || top + whole > HEAP + HEAP_SIZE) return 0;
  if (is_on_device(room) && used[device] + size > options.memory) return 0;
  const u64 base = top;
  top += whole;
  if (is_on_device(room)) used[device] += size, used_by_all += size;
  if (room == Room::managed) managed += size;
  counters.managed_bytes = std::max(counters.managed_bytes, managed);
  counters.device_bytes =
      std::max(counters.device_bytes, options.managed == Managed::whole ? used_by_all - managed : used_by_all);
  u32* owner = reinterpret_cast<u32*>(OWNER) + (base - HEAP) / 256;
  const u64 granules = (size + 255) / 256;
  for (u64 i = 0; i < granules; i++) owner[i] = static_cast<u32>(all.size());
  all.push_back({base, size, pc, 0, room, false, is_pooled, static_cast<u8>(device)});
  if (room == Room::pinned && checks) poison(reinterpret_cast<void*>(base), size);
  if (room != Room::device && room != Room::in_kernel) mark_written(base, size);
  return base;
}

void release(Allocation& a, u32 pc) {
  a.freed = true;
  a.freed_pc = pc;
  if (is_on_device(a.room)) used[a.device] -= a.size, used_by_all -= a.size;
  if (a.room == Room::managed) managed -= a.size;
  const u64 from = a.base - HEAP, to = from + ((a.size + 255) & ~255ull);
  drop(HEAP + from, HEAP + to);
  drop(INIT + from / 4, INIT + to / 4);
  drop(CELLS + from / 4 * sizeof(Cell), CELLS + to / 4 * sizeof(Cell));
}

Allocation* allocation_of(u64 address) {
  if (address - HEAP >= HEAP_SIZE) return nullptr;
  const u32 i = reinterpret_cast<u32*>(OWNER)[(address - HEAP) / 256];
  return i == 0 ? nullptr : &all[i];
}

void mark_written(u64 address, u64 size) {
  if (address - HEAP >= HEAP_SIZE || size == 0) return;
  u8* init = reinterpret_cast<u8*>(INIT);
  u64 low = address - HEAP;
  const u64 high = low + size;
  for (; low < high && low % 4 != 0; low++) init[low / 4] |= 1 << low % 4;
  const u64 words = (high - low) / 4;
  std::memset(init + low / 4, 15, words);
  for (low += words * 4; low < high; low++) init[low / 4] |= 1 << low % 4;
}

void poison(void* p, u64 size) {
  constexpr u64 MOST = 16 << 20;  // of a huge buffer, the rest stays untouched
  u32* words = static_cast<u32*>(p);
  forget_parts(reinterpret_cast<u64>(p), size);
  for (u64 i = 0; i < std::min(size, MOST) / 4; i++) words[i] = POISON;
}

bool is_shared(u64 a) { return a - HEAP >= HEAP_SIZE && (a < section_low || a >= section_high); }

bool is_device(u64 a) {
  return a - HEAP < HEAP_SIZE || (a >= section_low && a < section_high) || a - tls_low < tls_size ||
         a - reinterpret_cast<u64>(irgl_emu_dynamic_shared) < IRGL_EMU_DYNAMIC;
}

void report_leaks() {
  for (const Allocation& a : all) {
    if (a.size == 0 || a.freed || a.room == Room::in_kernel) continue;
    error("leak", a.pc, text("these %lu bytes are never freed", a.size));
  }
}

}  // namespace emu
