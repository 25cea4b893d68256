// Host memory that the program's own text allocates by malloc or new: how large the blocks are, and what of them was
// written, for calls of the API that read or fill it; and what it has page-locked.
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "../include/irgl_emu/runtime_api.h"
#include "api.hpp"
#include "fiber.hpp"
#include "memory.hpp"

namespace emu {

namespace {

struct Blocks {
  std::mutex lock;
  std::map<u64, std::pair<u64, u32>> sizes;  // by address: the size, and where it was allocated
};
Blocks& blocks() {
  static auto* all = new Blocks;
  return *all;
}

void add(void* p, u64 size, u32 pc) {
  if (p == nullptr || !checks) return;
  Blocks& b = blocks();
  const std::lock_guard<std::mutex> guard(b.lock);
  const u64 a = reinterpret_cast<u64>(p);
  // What a library has freed and given away again.
  auto i = b.sizes.lower_bound(a);
  if (i != b.sizes.begin() && std::prev(i)->first + std::prev(i)->second.first > a) b.sizes.erase(std::prev(i));
  while (i != b.sizes.end() && i->first < a + size) i = b.sizes.erase(i);
  b.sizes[a] = {size, pc};
}

void forget(void* p) {
  if (p == nullptr || !checks) return;
  Blocks& b = blocks();
  const std::lock_guard<std::mutex> guard(b.lock);
  b.sizes.erase(reinterpret_cast<u64>(p));
}

std::map<u64, u64>& locked() {  // by address: the size
  static auto* all = new std::map<u64, u64>;
  return *all;
}

}  // namespace

bool is_locked(u64 address) {
  auto i = locked().upper_bound(address);
  return i != locked().begin() && address < std::prev(i)->first + std::prev(i)->second;
}

HostBlock host_block(u64 address) {
  Blocks& b = blocks();
  const std::lock_guard<std::mutex> guard(b.lock);
  auto i = b.sizes.upper_bound(address);
  if (i == b.sizes.begin()) return {};
  --i;
  return address < i->first + i->second.first ? HostBlock{i->first, i->second.first, i->second.second} : HostBlock{};
}

namespace {

struct Parts {
  std::mutex lock;
  std::set<u64> words;
};
Parts& parts() {
  static auto* all = new Parts;
  return *all;
}

void settle_part() {
  const u64 word = last_part;
  last_part = 0;
  if (word == 0) return;
  const Allocation* a = allocation_of(word);
  if (host_block(word).size == 0 && (a == nullptr || a->freed)) return;
  if (*reinterpret_cast<const u32*>(word) != POISON) return;
  const std::lock_guard<std::mutex> guard(parts().lock);
  parts().words.insert(word);
}

}  // namespace

void write_part(u64 address, u64 size) {
  const u64 word = address & ~3ull, bits = (1ull << size * 8) - 1;
  const u32 others = ~static_cast<u32>(bits << (address - word) * 8);
  if (((*reinterpret_cast<const u32*>(word) ^ POISON) & others) != 0) return;
  settle_part();
  last_part = word;
}

bool is_part_written(u64 address) {
  settle_part();
  const std::lock_guard<std::mutex> guard(parts().lock);
  return parts().words.count(address & ~3ull) != 0;
}

void forget_parts(u64 address, u64 size) {
  const std::lock_guard<std::mutex> guard(parts().lock);
  auto& words = parts().words;
  words.erase(words.lower_bound(address & ~3ull), words.lower_bound(address + size));
}

}  // namespace emu

using namespace emu;

extern "C" {

cudaError_t cudaHostRegister(void* p, size_t n, unsigned) {
  const u64 a = reinterpret_cast<u64>(p);
  const HostBlock block = host_block(a);
  if (p == nullptr || n == 0 || is_device(a)) return done(cudaErrorInvalidValue);
  if (is_locked(a) || is_locked(a + n - 1)) return done(cudaErrorHostMemoryAlreadyRegistered);
  if (block.size != 0 && a + n > block.base + block.size) {
    error("out-of-bounds", EMU_PC,
          text("cudaHostRegister takes %lu bytes from byte %lu of %lu that the host allocated at %s", n, a - block.base,
               block.size, where(block.pc).c_str()));
    return done(cudaErrorInvalidValue);
  }
  locked()[a] = n;
  return done();
}
cudaError_t cudaHostUnregister(void* p) {
  return locked().erase(reinterpret_cast<u64>(p)) == 1 ? done() : done(cudaErrorHostMemoryNotRegistered);
}

void* irgl_emu_malloc(unsigned long n) {
  const u32 pc = EMU_PC;
  if (cur != nullptr) return reinterpret_cast<void*>(allocate(n, Room::in_kernel, pc, grid->device));
  void* p = std::malloc(n);
  if (p != nullptr && checks) poison(p, n);
  add(p, n, pc);
  return p;
}
void* irgl_emu_calloc(unsigned long n, unsigned long size) {
  const u32 pc = EMU_PC;
  if (cur != nullptr) refuse(pc, "CUDA has no calloc in kernels: write malloc");
  void* p = std::calloc(n, size);
  add(p, n * size, pc);
  return p;
}
void* irgl_emu_realloc(void* old, unsigned long n) {
  const u32 pc = EMU_PC;
  if (cur != nullptr) refuse(pc, "CUDA has no realloc in kernels: write malloc");
  forget(old);
  void* p = std::realloc(old, n);
  add(p, n, pc);
  return p;
}
}  // extern "C"

// A block of the host's that `allocated` is, as malloc's is one.
static void* followed(void* allocated, u64 n, u32 pc) {
  if (cur != nullptr) refuse(pc, "CUDA has no aligned allocation in kernels: write malloc");
  if (allocated != nullptr && checks) poison(allocated, n);
  add(allocated, n, pc);
  return allocated;
}

extern "C" {

void* irgl_emu_aligned_alloc(unsigned long alignment, unsigned long n) {
  return followed(std::aligned_alloc(alignment, n), n, EMU_PC);
}
void* irgl_emu_memalign(unsigned long alignment, unsigned long n) { return followed(memalign(alignment, n), n, EMU_PC); }
void* irgl_emu_valloc(unsigned long n) { return followed(valloc(n), n, EMU_PC); }
int irgl_emu_posix_memalign(void** p, unsigned long alignment, unsigned long n) {
  const u32 pc = EMU_PC;
  void* made = nullptr;
  const int error = posix_memalign(&made, alignment, n);
  if (error == 0) *p = followed(made, n, pc);
  return error;
}
void irgl_emu_free(void* p) {
  if (p == nullptr) return;
  const u32 pc = EMU_PC;
  if (cur == nullptr && !is_device(reinterpret_cast<u64>(p))) {
    forget(p);
    std::free(p);
    return;
  }
  Allocation* a = allocation_of(reinterpret_cast<u64>(p));
  if (a == nullptr || a->room != Room::in_kernel || a->base != reinterpret_cast<u64>(p) || cur == nullptr) {
    error("bad-free", pc, text("%s frees %p with free, which did not allocate it", who(cur).c_str(), p));
  } else if (a->freed) {
    error("bad-free", pc,
          text("%s frees %p a second time; it was freed at %s", who(cur).c_str(), p, where(a->freed_pc).c_str()));
  } else {
    release(*a, pc);
  }
}

}  // extern "C"
