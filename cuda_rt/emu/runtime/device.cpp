// Launches by address, occupancy, the pools of memory, and what a pointer points to.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../include/irgl_emu/runtime_api.h"
#include "api.hpp"
#include "devices.hpp"
#include "memory.hpp"

using namespace emu;

extern "C" {

cudaError_t irgl_emu_run_array(const void* k, const unsigned* grid_size, const unsigned* block, void** args,
                               size_t shared, cudaStream_t stream, int cooperative) {
  const u32 pc = EMU_PC;
  const auto found = kernels().find(k);
  if (found == kernels().end())
    refuse(pc, "a launch by an address that is no kernel of this program: write (void*)kernel in the call");
  const irgl_emu_launch l = {{grid_size[0], grid_size[1], grid_size[2]},
                             {block[0], block[1], block[2]},
                             shared,
                             stream,
                             cooperative,
                             found->second.name.c_str(),
                             k,
                             found->second.entry,
                             args,
                             nullptr,
                             nullptr};
  if (capture_of(stream) != nullptr)
    refuse(pc, "a launch by address in a captured stream is not covered: write kernel<<<...>>>");
  return static_cast<cudaError_t>(launch(l, pc));
}

cudaError_t irgl_emu_occupancy(int* blocks, const void* k, int threads, size_t shared) {
  if (threads <= 0) return done(1);
  *blocks = static_cast<int>(blocks_per_processor(k, static_cast<u32>(threads), shared));
  return done();
}
cudaError_t irgl_emu_function_attributes(cudaFuncAttributes* a, const void* k) {
  std::memset(a, 0, sizeof *a);
  a->sharedSizeBytes = static_shared(k);
  a->maxThreadsPerBlock = 1024;
  a->numRegs = static_cast<int>(options.registers);
  a->ptxVersion = a->binaryVersion = static_cast<int>(options.arch);
  const u32 limit = kernels()[k].dynamic_limit;
  a->maxDynamicSharedSizeBytes = limit != 0 ? static_cast<int>(limit) : 49152;
  return done();
}
cudaError_t irgl_emu_function_attribute(const void* k, int attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return done();
  if (value < 0 || static_cast<u64>(value) + static_shared(k) > IRGL_EMU_DYNAMIC) return done(1);
  kernels()[k].dynamic_limit = static_cast<u32>(value);
  return done();
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  const int device = current_device();
  *total = options.memory;
  *free = options.memory - std::min(options.memory, used_memory(device) + pool_of(device).kept);
  return done();
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* p, int device) {
  return *p = device + 1, done(is_device_number(device) ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* p, int device) { return cudaDeviceGetDefaultMemPool(p, device); }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t kept) {
  if (!is_device_number(p - 1)) return done(cudaErrorInvalidValue);
  return pool_of(p - 1).trim(kept), done();
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t p, cudaMemPoolAttr attribute, void* value) {
  if (!is_device_number(p - 1) || attribute >= cudaMemPoolAttrReservedMemCurrent) return done(1);
  if (attribute == cudaMemPoolAttrReleaseThreshold) pool_of(p - 1).threshold = *static_cast<u64*>(value);
  return done();
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t p, cudaMemPoolAttr attribute, void* value) {
  if (!is_device_number(p - 1)) return done(1);
  const Pool& pool = pool_of(p - 1);
  const u64 used = used_memory(p - 1);
  u64& number = *static_cast<u64*>(value);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold: number = pool.threshold; break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrReservedMemHigh: number = used + pool.kept; break;
    case cudaMemPoolAttrUsedMemCurrent:
    case cudaMemPoolAttrUsedMemHigh: number = used; break;
    default: *static_cast<int*>(value) = 1;
  }
  return done();
}
cudaError_t cudaDeviceReset() {
  arrive();
  for (Allocation& a : allocations()) {
    if (a.size != 0 && !a.freed && a.device == current_device()) release(a, EMU_PC);
  }
  forget_peers(current_device());
  return done();
}
cudaError_t cudaDriverGetVersion(int* v) { return *v = CUDART_VERSION, done(); }
cudaError_t cudaRuntimeGetVersion(int* v) { return *v = CUDART_VERSION, done(); }

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* a, const void* p) {
  const Allocation* room = allocation_of(reinterpret_cast<u64>(p));
  *a = {};
  if (room == nullptr || room->freed) return done();
  a->type = room->room == Room::managed  ? cudaMemoryTypeManaged
            : room->room == Room::pinned ? cudaMemoryTypeHost
                                         : cudaMemoryTypeDevice;
  a->device = room->device;
  a->devicePointer = const_cast<void*>(p);
  if (room->room != Room::device) a->hostPointer = const_cast<void*>(p);
  return done();
}

}  // extern "C"
