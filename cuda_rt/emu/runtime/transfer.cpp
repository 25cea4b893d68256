// Copies between host and device, and filling memory. All of it is done at once, except that what an asynchronous copy
// gives to page-locked memory appears there only when the host waits, as it may on a GPU.
#include <cstring>
#include <functional>

#include "../include/irgl_emu/runtime_api.h"
#include "api.hpp"
#include "memory.hpp"
#include "order.hpp"

using namespace emu;

namespace {

struct Late {  // a copy that the host has not waited for
  void* to;
  std::vector<u8> bytes;
};
std::vector<Late>& late() {
  static auto* all = new std::vector<Late>;
  return *all;
}

bool inside(u64 a, u64 n, const Allocation* room) {
  return room != nullptr && !room->freed && a + n <= room->base + room->size;
}

// One side of a transfer: is it on the device, and is there room?
bool side(const void* p, u64 n, bool device, bool write, u32 pc, const char* call) {
  const u64 a = reinterpret_cast<u64>(p);
  const Allocation* room = allocation_of(a);
  if (a - HEAP < HEAP_SIZE) {
    if (room != nullptr && room->freed) {
      error("use-after-free", pc,
            text("%s %s memory that was freed at %s", call, write ? "writes" : "reads", where(room->freed_pc).c_str()));
      return false;
    }
    if (!inside(a, n, room)) {
      error("out-of-bounds", pc,
            room == nullptr ? text("%s %s device memory where nothing is allocated", call, write ? "writes" : "reads")
                            : text("%s %s %lu bytes from byte %lu of %lu that were allocated at %s", call,
                                   write ? "writes" : "reads", n, a - room->base, room->size, where(room->pc).c_str()));
      return false;
    }
    if (!device && room->room == Room::device) {
      error("host-access", pc,
            text("%s takes a device pointer for the host's side: is its kind or the order of its "
                 "arguments wrong?",
                 call));
    }
    return true;
  }
  if ((a >= section_low && a < section_high) || is_managed(a)) return true;
  if (device) {
    error("device-access", pc,
          text("%s takes a host pointer for the device's side: is its kind or the order of its "
               "arguments wrong?",
               call));
    return false;
  }
  return true;
}

void copy_written(u64 to, u64 from, u64 n) {
  if (to - HEAP >= HEAP_SIZE) return;
  if (from - HEAP < HEAP_SIZE && to % 4 == 0 && from % 4 == 0 && n % 4 == 0) {
    std::memcpy(reinterpret_cast<void*>(INIT + (to - HEAP) / 4), reinterpret_cast<void*>(INIT + (from - HEAP) / 4),
                n / 4);
  } else {
    mark_written(to, n);
  }
}

}  // namespace

namespace emu {

cudaError_t transfer(void* to, const void* from, u64 n, int kind, u32 pc, const char* call, bool by_symbol) {
  if (cur != nullptr) refuse(pc, text("%s in a kernel is not covered", call));
  if (api.sticky != 0) return done();
  if (n == 0) return done();
  if (kind < 0 || kind > 4) return done(cudaErrorInvalidMemcpyDirection);
  const bool to_device = kind == 4 ? is_device(reinterpret_cast<u64>(to)) : kind == 1 || kind == 3;
  const bool from_device = kind == 4 ? is_device(reinterpret_cast<u64>(from)) : kind == 2 || kind == 3;
  if (!by_symbol && checks) {
    for (const void* p : {static_cast<const void*>(to), from}) {
      if (is_host_name(reinterpret_cast<u64>(p), pc, call)) return done(cudaErrorInvalidValue);
    }
  }
  const bool fine = side(from, n, from_device, false, pc, call) && side(to, n, to_device, true, pc, call);
  if (!fine) return done(cudaErrorInvalidValue);
  std::memmove(to, from, n);
  copy_written(reinterpret_cast<u64>(to), reinterpret_cast<u64>(from), n);
  if (to_device != from_device) {
    counters.transfers++;
    (to_device ? counters.bytes_to_device : counters.bytes_to_host) += n;
  }
  return done();
}

cudaError_t fill(void* p, int value, u64 n, u32 pc, const char* call) {
  if (api.sticky != 0) return done();
  if (n == 0) return done();
  if (checks && is_host_name(reinterpret_cast<u64>(p), pc, call)) return done(cudaErrorInvalidValue);
  if (!side(p, n, true, true, pc, call)) return done(cudaErrorInvalidValue);
  std::memset(p, value, n);
  mark_written(reinterpret_cast<u64>(p), n);
  return done();
}

void arrive() {
  for (const Late& l : late()) {
    const Allocation* a = allocation_of(reinterpret_cast<u64>(l.to));
    if (a != nullptr && !a->freed) std::memcpy(l.to, l.bytes.data(), l.bytes.size());
  }
  late().clear();
}

}  // namespace emu

extern "C" {

cudaError_t irgl_emu_memcpy_async(void* to, const void* from, size_t n, cudaMemcpyKind kind, cudaStream_t s) {
  const u32 pc = EMU_PC;
  if (captured(s, [=](u32 where) { return static_cast<int>(transfer(to, from, n, kind, where, "memcpy")); }))
    return done();
  const cudaError_t e = transfer(to, from, n, kind, pc, "cudaMemcpyAsync");
  const Allocation* a = allocation_of(reinterpret_cast<u64>(to));
  if (e == cudaSuccess && checks && a != nullptr && a->room == Room::pinned) {
    const u8* p = static_cast<const u8*>(to);
    late().push_back({to, std::vector<u8>(p, p + n)});
    poison(to, n);
  }
  return e;
}
cudaError_t irgl_emu_memset_async(void* p, int value, size_t n, cudaStream_t s) {
  const u32 pc = EMU_PC;
  if (captured(s, [=](u32 where) { return static_cast<int>(fill(p, value, n, where, "memset")); })) return done();
  return fill(p, value, n, pc, "cudaMemsetAsync");
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind kind) {
  host_waits(moment_of(nullptr));
  arrive();
  return transfer(to, from, n, kind, EMU_PC, "cudaMemcpy");
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  const u32 pc = EMU_PC;
  if (width > to_pitch || width > from_pitch) return done(cudaErrorInvalidPitchValue);
  cudaError_t e = done();
  for (size_t i = 0; i < height && e == 0; i++) {
    e = transfer(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch, width, kind,
                 pc, "cudaMemcpy2D");
  }
  return e;
}
cudaError_t cudaMemset(void* p, int value, size_t n) { return fill(p, value, n, EMU_PC, "cudaMemset"); }
cudaError_t cudaMemset2D(void* p, size_t pitch, int value, size_t width, size_t height) {
  const u32 pc = EMU_PC;
  cudaError_t e = done();
  for (size_t i = 0; i < height && e == 0; i++)
    e = fill(static_cast<char*>(p) + i * pitch, value, width, pc, "cudaMemset2D");
  return e;
}
cudaError_t irgl_emu_symbol_copy(const void* symbol, size_t size, void* other, size_t n, size_t offset, int to_symbol) {
  const u32 pc = EMU_PC;
  const u64 a = reinterpret_cast<u64>(symbol);
  if ((a < section_low || a >= section_high) && !is_managed(a)) return done(cudaErrorInvalidSymbol);
  if (offset + n > size) {
    error("out-of-bounds", pc, text("a copy of %lu bytes at byte %lu of a variable that has %lu", n, offset, size));
    return done(cudaErrorInvalidValue);
  }
  void* p = reinterpret_cast<void*>(a + offset);
  return to_symbol != 0 ? transfer(p, other, n, 4, pc, "cudaMemcpyToSymbol", true)
                        : transfer(other, p, n, 4, pc, "cudaMemcpyFromSymbol", true);
}

}  // extern "C"
