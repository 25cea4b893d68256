// The host API. Everything is done at once: streams are queues that are always empty.
#include "api.hpp"

#include <time.h>

#include <cstdio>
#include <cstring>

#include "../include/irgl_emu/runtime_api.h"
#include "memory.hpp"

using namespace emu;

namespace emu {
cudaError_t done(int code) {
  if (api.sticky != 0) code = api.sticky;
  if (code != 0) api.last = code;
  return static_cast<cudaError_t>(code);
}
}  // namespace emu

struct CUstream_st {
  int unused;
};
struct CUevent_st {
  double at = -1;
};

namespace {

double seconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// What a call that waits for the device gives: it also tells of failed launches.
cudaError_t waited() {
  return done();
}

bool inside(u64 a, u64 n, const Allocation* room) { return room != nullptr && !room->freed && a + n <= room->base + room->size; }

// One side of a transfer: is it on the device, and is there room?
bool side(const void* p, u64 n, bool device, bool write, u32 pc, const char* call) {
  const u64 a = reinterpret_cast<u64>(p);
  const Allocation* room = allocation_of(a);
  if (a - HEAP < HEAP_SIZE) {
    if (room != nullptr && room->freed) {
      error("use-after-free", pc, text("%s %s memory that was freed at %s", call, write ? "writes" : "reads",
                                       where(room->freed_pc).c_str()));
      return false;
    }
    if (!inside(a, n, room)) {
      error("out-of-bounds", pc, room == nullptr ? text("%s %s device memory where nothing is allocated", call, write ? "writes" : "reads")
            : text("%s %s %lu bytes from byte %lu of %lu that were allocated at %s", call, write ? "writes" : "reads",
                   n, a - room->base, room->size, where(room->pc).c_str()));
      return false;
    }
    if (!device && room->room == Room::device) {
      error("host-access", pc, text("%s takes a device pointer for the host's side: is its kind or the order of its "
                                    "arguments wrong?", call));
    }
    return true;
  }
  if (a >= section_low && a < section_high) return true;
  if (device) {
    error("device-access", pc, text("%s takes a host pointer for the device's side: is its kind or the order of its "
                                    "arguments wrong?", call));
    return false;
  }
  return true;
}

void copy_written(u64 to, u64 from, u64 n) {
  if (to - HEAP >= HEAP_SIZE) return;
  if (from - HEAP < HEAP_SIZE && to % 4 == 0 && from % 4 == 0 && n % 4 == 0) {
    std::memcpy(reinterpret_cast<void*>(INIT + (to - HEAP) / 4), reinterpret_cast<void*>(INIT + (from - HEAP) / 4), n / 4);
  } else {
    mark_written(to, n);
  }
}

cudaError_t transfer(void* to, const void* from, u64 n, int kind, u32 pc, const char* call) {
  if (cur != nullptr) refuse(pc, text("%s in a kernel is not covered", call));
  if (api.sticky != 0) return done();
  if (n == 0) return done();
  if (kind < 0 || kind > 4) return done(cudaErrorInvalidMemcpyDirection);
  const bool to_device = kind == 4 ? is_device(reinterpret_cast<u64>(to)) : kind == 1 || kind == 3;
  const bool from_device = kind == 4 ? is_device(reinterpret_cast<u64>(from)) : kind == 2 || kind == 3;
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
  if (!side(p, n, true, true, pc, call)) return done(cudaErrorInvalidValue);
  std::memset(p, value, n);
  mark_written(reinterpret_cast<u64>(p), n);
  return done();
}

cudaError_t free_memory(void* p, bool host, u32 pc, const char* call) {
  if (p == nullptr) return done();
  const u64 a = reinterpret_cast<u64>(p);
  Allocation* room = allocation_of(a);
  if (room == nullptr || room->base != a) {
    error("bad-free", pc, text("%s gets %s", call, room != nullptr ? "a pointer into the middle of an allocation"
                               : is_device(a) ? "an address where nothing was allocated"
                               : "a host pointer, which the CUDA API did not allocate"));
    return done(cudaErrorInvalidValue);
  }
  if (room->freed) {
    error("bad-free", pc, text("%s frees a second time what was freed at %s", call, where(room->freed_pc).c_str()));
    return done(cudaErrorInvalidValue);
  }
  if (host != (room->room == Room::pinned)) {
    error("bad-free", pc, text("%s does not fit the way in which this was allocated, at %s", call, where(room->pc).c_str()));
  }
  release(*room, pc);
  return done();
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  const int e = api.sticky != 0 ? api.sticky : api.last;
  api.last = 0;
  api.unchecked = 0;
  return static_cast<cudaError_t>(e);
}
cudaError_t cudaPeekAtLastError() {
  api.unchecked = 0;
  return static_cast<cudaError_t>(api.sticky != 0 ? api.sticky : api.last);
}

cudaError_t irgl_emu_malloc_device(void** p, size_t n, int room) {
  const u32 pc = EMU_PC;
  if (cur != nullptr) refuse(pc, "cudaMalloc in a kernel is not covered: allocate on the host");
  if (p == nullptr) return done(cudaErrorInvalidValue);
  if (api.sticky != 0) return done();
  if (n == 0) {
    *p = nullptr;
    return done();
  }
  *p = reinterpret_cast<void*>(allocate(n, static_cast<Room>(room), pc));
  return *p == nullptr ? done(cudaErrorMemoryAllocation) : done();
}
cudaError_t cudaFree(void* p) { return free_memory(p, false, EMU_PC, "cudaFree"); }
cudaError_t cudaFreeHost(void* p) { return free_memory(p, true, EMU_PC, "cudaFreeHost"); }
cudaError_t cudaHostUnregister(void*) { return done(); }
cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind kind) {
  return transfer(to, from, n, kind, EMU_PC, "cudaMemcpy");
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  const u32 pc = EMU_PC;
  if (width > to_pitch || width > from_pitch) return done(cudaErrorInvalidPitchValue);
  cudaError_t e = done();
  for (size_t i = 0; i < height && e == 0; i++) {
    e = transfer(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch, width, kind, pc,
                 "cudaMemcpy2D");
  }
  return e;
}
cudaError_t cudaMemset(void* p, int value, size_t n) { return fill(p, value, n, EMU_PC, "cudaMemset"); }
cudaError_t cudaMemset2D(void* p, size_t pitch, int value, size_t width, size_t height) {
  const u32 pc = EMU_PC;
  cudaError_t e = done();
  for (size_t i = 0; i < height && e == 0; i++) e = fill(static_cast<char*>(p) + i * pitch, value, width, pc, "cudaMemset2D");
  return e;
}
cudaError_t irgl_emu_symbol_copy(const void* symbol, size_t size, void* other, size_t n, size_t offset, int to_symbol) {
  const u32 pc = EMU_PC;
  const u64 a = reinterpret_cast<u64>(symbol);
  if (a < section_low || a >= section_high) return done(cudaErrorInvalidSymbol);
  if (offset + n > size) {
    error("out-of-bounds", pc, text("a copy of %lu bytes at byte %lu of a variable that has %lu", n, offset, size));
    return done(cudaErrorInvalidValue);
  }
  void* p = reinterpret_cast<void*>(a + offset);
  return to_symbol != 0 ? transfer(p, other, n, 4, pc, "cudaMemcpyToSymbol") : transfer(other, p, n, 4, pc, "cudaMemcpyFromSymbol");
}

cudaError_t cudaStreamCreate(cudaStream_t* s) { return *s = new CUstream_st, done(); }
cudaError_t cudaStreamDestroy(cudaStream_t s) { return delete s, done(); }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return waited(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return waited(); }
cudaError_t cudaDeviceSynchronize() { return waited(); }
cudaError_t cudaEventCreate(cudaEvent_t* e) { return *e = new CUevent_st, done(); }
cudaError_t cudaEventDestroy(cudaEvent_t e) { return delete e, done(); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return waited(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return waited(); }
cudaError_t irgl_emu_event_record(cudaEvent_t e) { return e->at = seconds(), done(); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  if (from->at < 0 || to->at < 0) return done(cudaErrorInvalidResourceHandle);
  *ms = static_cast<float>(1e3 * (to->at - from->at));
  return done();
}

}  // extern "C"
