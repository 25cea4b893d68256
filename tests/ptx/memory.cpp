// Allocations in a table, with gaps between them, and freed ones kept for a while; accesses looked up in it.
#include "memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <deque>
#include <mutex>

namespace ptx {
namespace {
using Table = std::map<uint64_t, std::pair<Allocation, size_t>>;  // by the end; with the bytes mapped
Table table;
std::mutex busy;  // a program may free in one thread while another waits for its kernel
std::deque<Table::node_type> gone;  // freed ones, which instructions may still take for what they last touched
std::deque<std::pair<void*, size_t>> freed;
size_t freed_bytes = 0, used = 0;
constexpr size_t gap = 4096;
constexpr size_t junk_limit = 64 << 20;  // what is larger stays zero: nobody can fill it

std::string hex(uint64_t x) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(x));
  return text;
}

[[noreturn]] void outside(const Thread& t, const Inst& i, uint64_t address, size_t bytes) {
  std::string near;
  const auto after = table.upper_bound(address);
  if (after != table.begin()) {
    const Allocation& a = std::prev(after)->second.first;
    near = ", " + std::to_string(address - a.end) + " bytes behind an array of " + std::to_string(a.end - a.begin);
  }
  fault(t, i, "out of bounds: " + std::to_string(bytes) + " bytes at " + hex(address) + near);
}
}  // namespace

void* allocate(size_t bytes, Kind kind) {
  const size_t room = (bytes + 4095) / 4096 * 4096, all = room + 2 * gap;
  void* const base = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return nullptr;
  // At the end of its pages as far as 256 bytes of alignment let it.
  uint8_t* const p = static_cast<uint8_t*>(base) + gap;
  if (bytes <= junk_limit) memset(p, 0xcb, bytes);
  const auto begin = reinterpret_cast<uint64_t>(p);
  const std::lock_guard lock(busy);
  table[begin + bytes] = {{begin, begin + bytes, kind}, all};
  if (kind == Kind::device || kind == Kind::managed) used += kind == Kind::device ? bytes : 0;
  return p;
}

bool release(void* p) {
  const auto begin = reinterpret_cast<uint64_t>(p);
  const std::lock_guard lock(busy);
  auto at = table.upper_bound(begin);
  if (at == table.end() || at->second.first.begin != begin) return false;
  if (at->second.first.kind == Kind::device) used -= at->second.first.end - begin;
  freed.emplace_back(static_cast<uint8_t*>(p) - gap, at->second.second);
  freed_bytes += at->second.second;
  mprotect(freed.back().first, freed.back().second, PROT_NONE);
  madvise(freed.back().first, freed.back().second, MADV_DONTNEED);
  at->second.first.begin = at->second.first.end = 0;
  gone.push_back(table.extract(at));
  while (freed.size() > 4096) {
    munmap(freed.front().first, freed.front().second);
    freed_bytes -= freed.front().second;
    freed.pop_front();
  }
  return true;
}

void add_variable(uint64_t begin, size_t bytes) {
  table[begin + bytes] = {{begin, begin + bytes, Kind::variable}, 0};
}

const Allocation* find(uint64_t address) {
  const std::lock_guard lock(busy);
  const auto at = table.upper_bound(address);
  return at != table.end() && at->second.first.begin <= address ? &at->second.first : nullptr;
}

size_t device_bytes() { return used; }

uint8_t* locate(Thread& t, const Inst& i, Space space, uint64_t address, size_t bytes) {
  if (space == Space::shared) address &= 0xffffffff;  // its addresses are of 32 bits
  if (space == Space::generic) {
    if (address - shared_window < window) space = Space::shared, address -= shared_window;
    else if (address - local_window < window) space = Space::local, address -= local_window;
    else space = Space::global;
  }
  if (address % bytes != 0) fault(t, i, "misaligned: " + std::to_string(bytes) + " bytes at " + hex(address));
  switch (space) {
    case Space::shared: {
      const auto& valid = current().module->shared_valid;
      const bool fine = address + bytes <= t.block->shared.size() &&
                        (address >= valid.size() || (valid[address] && valid[address + bytes - 1]));
      if (!fine) fault(t, i, "out of bounds of shared memory: " + std::to_string(bytes) + " bytes at " + hex(address));
      return t.block->shared.data() + address;
    }
    case Space::local:
      if (address + bytes > t.local.size()) {
        fault(t, i, "out of bounds of local memory: " + std::to_string(bytes) + " bytes at " + hex(address));
      }
      return t.local.data() + address;
    case Space::param: {
      auto& params = t.frame().params;
      if (address + bytes > params.size()) fault(t, i, "out of bounds of the parameters");
      return params.data() + address;
    }
    default: break;
  }
  const Allocation* a = i.hint;
  if (a == nullptr || address < a->begin || address + bytes > a->end) {
    a = find(address);
    if (a == nullptr || address + bytes > a->end) {
      auto& params = t.frames.front()->params;
      const auto begin = reinterpret_cast<uint64_t>(params.data());
      if (address >= begin && address + bytes <= begin + params.size()) return reinterpret_cast<uint8_t*>(address);
      outside(t, i, address, bytes);
    }
    i.hint = a;
  }
  return reinterpret_cast<uint8_t*>(address);
}

}  // namespace ptx
