// Copies between host and device, and filling memory. All of it is done at once, except that what an asynchronous copy
// gives to page-locked memory appears there only when the host waits, as it may on a GPU.
#include <cstring>
#include <functional>

#include "../include/irgl_emu/runtime_api.h"
#include "api.hpp"
#include "devices.hpp"
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

// Is there room in a host object of which the compiler knows `known` bytes, if any, or in a block of malloc's?
bool fits_host(u64 a, u64 n, u64 known, bool write, u32 pc, const char* call) {
  const char* verb = write ? "writes" : "reads";
  if (a < 1 << 16) {
    error("host-access", pc, text("%s %s through a null pointer on the host's side", call, verb));
    return false;
  }
  if (n > known) {
    error("out-of-bounds", pc,
          text("%s %s %lu bytes %s a host object that has %lu there", call, verb, n, write ? "to" : "of", known));
    return false;
  }
  const HostBlock block = host_block(a);
  if (block.size == 0 || a + n <= block.base + block.size) return true;
  error("out-of-bounds", pc,
        text("%s %s %lu bytes from byte %lu of %lu that the host allocated at %s", call, verb, n, a - block.base,
             block.size, where(block.pc).c_str()));
  return false;
}

// One side of a transfer: is it on the device, and is there room?
bool side(const void* p, u64 n, bool device, bool write, u32 pc, const char* call, u64 known = NOT_KNOWN) {
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
  if (device && !is_locked(a)) {
    error("device-access", pc,
          text("%s takes a host pointer for the device's side: is its kind or the order of its "
               "arguments wrong?",
               call));
    return false;
  }
  return !checks || fits_host(a, n, known, write, pc, call);
}

u64 beyond(u64 known, u64 offset) {
  return known == NOT_KNOWN ? known : known > offset ? known - offset : 0;
}

// What nobody has written stays so: on the host it is filled with POISON. Words are told apart, no bytes.
void copy_written(u64 to, u64 from, u64 n) {
  const bool to_heap = to - HEAP < HEAP_SIZE, from_heap = from - HEAP < HEAP_SIZE;
  if (!to_heap) {
    if (!from_heap || !checks || to % 4 != 0 || from % 4 != 0) return;
    const u8* init = reinterpret_cast<const u8*>(INIT + (from - HEAP) / 4);
    for (u64 i = 0; i < n / 4; i++)
      if (init[i] == 0) poison(reinterpret_cast<void*>(to + 4 * i), 4);
    return;
  }
  if (!from_heap && checks && to % 4 == 0 && from % 4 == 0) {
    const u32* words = reinterpret_cast<const u32*>(from);
    u8* init = reinterpret_cast<u8*>(INIT + (to - HEAP) / 4);
    mark_written(to, n);
    for (u64 i = 0; i < n / 4; i++)
      if (words[i] == POISON) init[i] = 0;
    return;
  }
  if (from_heap && to % 4 == 0 && from % 4 == 0 && n % 4 == 0) {
    std::memcpy(reinterpret_cast<void*>(INIT + (to - HEAP) / 4), reinterpret_cast<void*>(INIT + (from - HEAP) / 4),
                n / 4);
  } else {
    mark_written(to, n);
  }
}

}  // namespace

namespace emu {

Opened::Opened() {
  for (const Late& l : late()) std::memcpy(l.to, l.bytes.data(), l.bytes.size());
}
Opened::~Opened() {
  for (Late& l : late()) std::memcpy(l.bytes.data(), l.to, l.bytes.size());
  for (const Late& l : late()) poison(l.to, l.bytes.size());
}

cudaError_t transfer(void* to, const void* from, u64 n, int kind, u32 pc, const char* call, irgl_emu_known known,
                     bool by_symbol, cudaStream_t stream) {
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
  const bool fine = side(from, n, from_device, false, pc, call, known.from) &&
                    side(to, n, to_device, true, pc, call, known.to);
  if (!fine) return done(cudaErrorInvalidValue);
  {
    const Opened opened;
    std::memmove(to, from, n);
  }
  copy_written(reinterpret_cast<u64>(to), reinterpret_cast<u64>(from), n);
  if (to_device != from_device) {
    counters.transfers++;
    (to_device ? counters.bytes_to_device : counters.bytes_to_host) += n;
  }
  if (is_crossing(to, from)) copied_across(to, from, n, stream, pc, call);
  return done();
}

cudaError_t fill(void* p, int value, u64 n, u32 pc, const char* call) {
  if (api.sticky != 0) return done();
  if (n == 0) return done();
  if (checks && is_host_name(reinterpret_cast<u64>(p), pc, call)) return done(cudaErrorInvalidValue);
  if (!side(p, n, true, true, pc, call)) return done(cudaErrorInvalidValue);
  {
    const Opened opened;
    std::memset(p, value, n);
  }
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

namespace {

constexpr irgl_emu_known ALL{NOT_KNOWN, NOT_KNOWN};

cudaError_t copy(void* to, const void* from, u64 n, cudaMemcpyKind kind, u32 pc, const char* call,
                 irgl_emu_known known) {
  if (!is_crossing(to, from)) {
    host_waits(moment_of(nullptr));
    arrive();
  }
  return transfer(to, from, n, kind, pc, call, known);
}

cudaError_t copy_async(void* to, const void* from, u64 n, cudaMemcpyKind kind, cudaStream_t s, u32 pc,
                       const char* call, irgl_emu_known known) {
  const auto later = [=](u32 where) {
    return static_cast<int>(transfer(to, from, n, kind, where, "memcpy", known, false, graph_stream()));
  };
  if (captured(s, later)) return done();
  const cudaError_t e = transfer(to, from, n, kind, pc, call, known, false, s);
  const Allocation* a = allocation_of(reinterpret_cast<u64>(to));
  if (e == cudaSuccess && checks && a != nullptr && a->room == Room::pinned) {
    std::vector<u8> bytes(n);
    {
      const Opened opened;
      std::memcpy(bytes.data(), to, n);
    }
    late().push_back({to, std::move(bytes)});
    poison(to, n);
  }
  return e;
}

// A side of a copy between devices: is it memory of the device that is named?
cudaError_t side_of(int device, const void* p, u32 pc, const char* call) {
  if (!is_device_number(device)) return done(cudaErrorInvalidDevice);
  const u64 a = reinterpret_cast<u64>(p);
  if (a >= section_low && a < section_high && device != current_device())
    refuse(pc, text("%s with a __device__ variable of a device that is not current is not covered", call));
  const int home = home_of(p);
  if (home < 0 || home == device || !checks) return cudaSuccess;
  error("peer", pc,
        text("%s takes memory of device %d, which was allocated at %s, for memory of device %d", call, home,
             where(allocation_of(a)->pc).c_str(), device));
  return cudaSuccess;
}
cudaError_t sides_of(void* to, int to_device, const void* from, int from_device, u32 pc, const char* call) {
  const cudaError_t e = side_of(from_device, from, pc, call);
  return e != cudaSuccess ? e : side_of(to_device, to, pc, call);
}

}  // namespace

extern "C" {

cudaError_t irgl_emu_memcpy_async(void* to, const void* from, size_t n, cudaMemcpyKind kind, cudaStream_t s,
                                  irgl_emu_known known) {
  return copy_async(to, from, n, kind, s, EMU_PC, "cudaMemcpyAsync", known);
}
cudaError_t irgl_emu_copy_peer(void* to, int to_device, const void* from, int from_device, size_t n, cudaStream_t s,
                               int is_async) {
  const u32 pc = EMU_PC;
  const char* call = is_async != 0 ? "cudaMemcpyPeerAsync" : "cudaMemcpyPeer";
  const cudaError_t e = sides_of(to, to_device, from, from_device, pc, call);
  if (e != cudaSuccess) return e;
  return is_async != 0 ? copy_async(to, from, n, cudaMemcpyDeviceToDevice, s, pc, call, ALL)
                       : copy(to, from, n, cudaMemcpyDeviceToDevice, pc, call, ALL);
}
cudaError_t irgl_emu_peer_sides(void* to, int to_device, const void* from, int from_device) {
  return sides_of(to, to_device, from, from_device, EMU_PC, "cudaMemcpy3DPeer");
}
cudaError_t irgl_emu_memset_async(void* p, int value, size_t n, cudaStream_t s) {
  const u32 pc = EMU_PC;
  if (captured(s, [=](u32 where) { return static_cast<int>(fill(p, value, n, where, "memset")); })) return done();
  return fill(p, value, n, pc, "cudaMemsetAsync");
}
cudaError_t irgl_emu_copy(void* to, const void* from, size_t n, cudaMemcpyKind kind, irgl_emu_known known) {
  return copy(to, from, n, kind, EMU_PC, "cudaMemcpy", known);
}
cudaError_t irgl_emu_copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                             size_t height, cudaMemcpyKind kind, irgl_emu_known known, cudaStream_t s) {
  const u32 pc = EMU_PC;
  if (width > to_pitch || width > from_pitch) return done(cudaErrorInvalidPitchValue);
  cudaError_t e = done();
  for (size_t i = 0; i < height && e == 0; i++) {
    const irgl_emu_known left = {beyond(known.to, i * to_pitch), beyond(known.from, i * from_pitch)};
    e = transfer(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch, width, kind,
                 pc, "cudaMemcpy2D", left, false, s);
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
cudaError_t irgl_emu_symbol_copy(const void* symbol, size_t size, void* other, size_t n, size_t offset, int to_symbol,
                                 size_t known) {
  const u32 pc = EMU_PC;
  const u64 a = reinterpret_cast<u64>(symbol);
  if ((a < section_low || a >= section_high) && !is_managed(a)) return done(cudaErrorInvalidSymbol);
  if (offset + n > size) {
    error("out-of-bounds", pc, text("a copy of %lu bytes at byte %lu of a variable that has %lu", n, offset, size));
    return done(cudaErrorInvalidValue);
  }
  void* p = reinterpret_cast<void*>(a + offset);
  return to_symbol != 0 ? transfer(p, other, n, 4, pc, "cudaMemcpyToSymbol", {NOT_KNOWN, known}, true)
                        : transfer(other, p, n, 4, pc, "cudaMemcpyFromSymbol", {known, NOT_KNOWN}, true);
}

}  // extern "C"
