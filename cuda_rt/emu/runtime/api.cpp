// Errors of the API, allocation and freeing.
#include "api.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../include/irgl_emu/runtime_api.h"
#include "devices.hpp"
#include "memory.hpp"
#include "order.hpp"

using namespace emu;

namespace emu {
cudaError_t done(int code) {
  from_one_thread();
  if (api.sticky != 0) code = api.sticky;
  if (code != 0) api.last = code;
  return static_cast<cudaError_t>(code);
}
}  // namespace emu

namespace {

cudaError_t allocate_memory(void** p, size_t n, Room room, u32 pc, int device, bool is_pooled = false) {
  if (cur != nullptr) refuse(pc, "cudaMalloc in a kernel is not covered: allocate on the host");
  from_one_thread();
  if (p == nullptr) return done(cudaErrorInvalidValue);
  if (api.sticky != 0) return done();
  if (checks && is_device(reinterpret_cast<u64>(p))) check_host(reinterpret_cast<u64>(p), sizeof *p, true, pc);
  if (n == 0) {
    *p = nullptr;
    return done();
  }
  if (room == Room::managed && options.managed == Managed::none) return done(cudaErrorNotSupported);
  *p = reinterpret_cast<void*>(allocate(n, room, pc, device, is_pooled));
  return *p == nullptr ? done(cudaErrorMemoryAllocation) : done();
}

cudaError_t free_memory(void* p, bool host, u32 pc, const char* call, bool in_order = false) {  // of a stream
  if (p == nullptr) return done();
  const u64 a = reinterpret_cast<u64>(p);
  Allocation* room = allocation_of(a);
  if (room == nullptr || room->base != a) {
    error("bad-free", pc,
          text("%s gets %s", call,
               room != nullptr ? "a pointer into the middle of an allocation"
               : is_device(a)  ? "an address where nothing was allocated"
                               : "a host pointer, which the CUDA API did not allocate"));
    return done(cudaErrorInvalidValue);
  }
  if (room->freed) {
    error("bad-free", pc, text("%s frees a second time what was freed at %s", call, where(room->freed_pc).c_str()));
    return done(cudaErrorInvalidValue);
  }
  if (host != (room->room == Room::pinned)) {
    error("bad-free", pc,
          text("%s does not fit the way in which this was allocated, at %s", call, where(room->pc).c_str()));
  }
  if (!in_order) {
    room->room == Room::device ? host_waits_for(room->device) : host_waits_for_all();
    check_unused(*room, pc, call);
  }
  arrive();
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
  return allocate_memory(p, n, static_cast<Room>(room), EMU_PC, current_device());
}
cudaError_t irgl_emu_malloc_async(void** p, size_t n, cudaMemPool_t of, cudaStream_t s) {
  const u32 pc = EMU_PC;
  if (of != 0 && !is_device_number(of - 1)) return done(cudaErrorInvalidValue);
  const int device = of != 0 ? of - 1 : device_of(s);
  const cudaError_t error = allocate_memory(p, n, Room::device, pc, device, true);
  Pool& pool = pool_of(device);
  pool.kept -= std::min<u64>(pool.kept, n);
  return error;
}
cudaError_t irgl_emu_free_async(void* p) {
  const Allocation* room = allocation_of(reinterpret_cast<u64>(p));
  const u64 size = room != nullptr && !room->freed ? room->size : 0;
  const int device = room != nullptr ? room->device : 0;
  const cudaError_t error = free_memory(p, false, EMU_PC, "cudaFreeAsync", true);
  if (error == cudaSuccess) pool_of(device).kept += size;
  return error;
}
cudaError_t cudaFree(void* p) { return free_memory(p, false, EMU_PC, "cudaFree"); }
cudaError_t cudaFreeHost(void* p) { return free_memory(p, true, EMU_PC, "cudaFreeHost"); }
}  // extern "C"
