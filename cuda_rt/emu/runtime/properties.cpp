// What the pretended devices are: small ones, so that cooperative grids are small too. The texts of errors, and settings that
// do nothing here but are kept for who asks.
#include <cstring>
#include <unordered_map>

#include "../include/irgl_emu/runtime_api.h"
#include "api.hpp"
#include "devices.hpp"
#include "order.hpp"

using namespace emu;

namespace {

struct ErrorName {
  int code;
  const char *name, *text;
};
#define IRGL_EMU_ERROR(name, code, text) {code, #name, text},
const ErrorName ERRORS[] = {
#include "../include/irgl_emu/error_codes.h"
};
#undef IRGL_EMU_ERROR

const ErrorName* named(int code) {
  for (const ErrorName& e : ERRORS) {
    if (e.code == code) return &e;
  }
  return nullptr;
}

struct Settings {  // of a device
  size_t limits[7] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  unsigned flags = 0;
};
Settings& settings() {
  static Settings all[MOST_DEVICES];
  return all[current_device()];
}
constexpr size_t LIMITS = sizeof Settings::limits / sizeof(size_t);
std::unordered_map<cudaStream_t, int>& priorities() {
  static auto* all = new std::unordered_map<cudaStream_t, int>;
  return *all;
}

void set(int* values, std::initializer_list<int> from) {
  for (const int v : from) *values++ = v;
}

}  // namespace

extern "C" {

const char* irgl_emu_error_text(int code) { return cudaGetErrorName(static_cast<cudaError_t>(code)); }
const char* cudaGetErrorString(cudaError_t e) {
  return named(e) != nullptr ? named(e)->text : "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t e) {
  return named(e) != nullptr ? named(e)->name : "unrecognized error code";
}

cudaError_t cudaSetDeviceFlags(unsigned flags) { return settings().flags = flags, done(); }
cudaError_t cudaGetDeviceFlags(unsigned* flags) { return *flags = settings().flags, done(); }
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (static_cast<size_t>(limit) >= LIMITS) return done(cudaErrorUnsupportedLimit);
  return settings().limits[limit] = value, done();
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (static_cast<size_t>(limit) >= LIMITS) return done(cudaErrorUnsupportedLimit);
  return *value = settings().limits[limit], done();
}
cudaError_t irgl_emu_stream_priority(cudaStream_t s, int priority) {
  return priorities()[s] = priority < -5 ? -5 : priority > 0 ? 0 : priority, done();
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int* priority) {
  const auto found = priorities().find(s);
  return *priority = found != priorities().end() ? found->second : 0, done();
}
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned* flags) {
  return *flags = is_blocking(s) ? cudaStreamDefault : cudaStreamNonBlocking, done();
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (!is_device_number(device)) return done(cudaErrorInvalidDevice);
  std::memset(p, 0, sizeof *p);
  std::strcpy(p->name, "irgl SIMT emulator");
  std::memcpy(p->uuid.bytes, "irgl-emulator-", 14);
  p->uuid.bytes[14] = "0123456789abcdef"[device];
  p->totalGlobalMem = options.memory;
  p->sharedMemPerBlock = 49152;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = 32;
  p->memPitch = 0x7fffffff;
  p->maxThreadsPerBlock = 1024;
  set(p->maxThreadsDim, {1024, 1024, 64});
  set(p->maxGridSize, {0x7fffffff, 65535, 65535});
  p->clockRate = p->memoryClockRate = 1000000;
  p->totalConstMem = 65536;
  p->major = static_cast<int>(options.arch / 10);
  p->minor = static_cast<int>(options.arch % 10);
  p->textureAlignment = p->surfaceAlignment = 512;
  p->texturePitchAlignment = 32;
  p->multiProcessorCount = static_cast<int>(options.processors);
  p->deviceOverlap = p->asyncEngineCount = p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = 1;
  p->cooperativeLaunch = p->streamPrioritiesSupported = p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->computePreemptionSupported = p->memoryPoolsSupported = p->unifiedFunctionPointers = 1;
  p->canUseHostPointerForRegisteredMem = 1;
  p->pciBusID = device + 1;
  p->managedMemory = options.managed != Managed::none;
  p->concurrentManagedAccess = options.managed == Managed::pages;
  p->memoryBusWidth = 256;
  p->l2CacheSize = 4 << 20;
  p->maxThreadsPerMultiProcessor = 2048;
  p->sharedMemPerMultiprocessor = IRGL_EMU_DYNAMIC + 1024;
  p->sharedMemPerBlockOptin = IRGL_EMU_DYNAMIC;
  p->reservedSharedMemPerBlock = 1024;
  p->singleToDoublePrecisionPerfRatio = 2;
  p->maxBlocksPerMultiProcessor = 32;
  return done();
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!is_device_number(device)) return done(cudaErrorInvalidDevice);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, device);
  const auto is = [&](auto v) { return *value = static_cast<int>(v), done(); };
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return is(p.maxThreadsPerBlock);
    case cudaDevAttrMaxBlockDimX: return is(p.maxThreadsDim[0]);
    case cudaDevAttrMaxBlockDimY: return is(p.maxThreadsDim[1]);
    case cudaDevAttrMaxBlockDimZ: return is(p.maxThreadsDim[2]);
    case cudaDevAttrMaxGridDimX: return is(p.maxGridSize[0]);
    case cudaDevAttrMaxGridDimY: return is(p.maxGridSize[1]);
    case cudaDevAttrMaxGridDimZ: return is(p.maxGridSize[2]);
    case cudaDevAttrMaxSharedMemoryPerBlock: return is(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory: return is(p.totalConstMem);
    case cudaDevAttrWarpSize: return is(p.warpSize);
    case cudaDevAttrMaxPitch: return is(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock: return is(p.regsPerBlock);
    case cudaDevAttrMaxRegistersPerMultiprocessor: return is(p.regsPerMultiprocessor);
    case cudaDevAttrClockRate: return is(p.clockRate);
    case cudaDevAttrMemoryClockRate: return is(p.memoryClockRate);
    case cudaDevAttrTextureAlignment: return is(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment: return is(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment: return is(p.surfaceAlignment);
    case cudaDevAttrGpuOverlap: return is(p.deviceOverlap);
    case cudaDevAttrAsyncEngineCount: return is(p.asyncEngineCount);
    case cudaDevAttrMultiProcessorCount: return is(p.multiProcessorCount);
    case cudaDevAttrCanMapHostMemory: return is(p.canMapHostMemory);
    case cudaDevAttrConcurrentKernels: return is(p.concurrentKernels);
    case cudaDevAttrUnifiedAddressing: return is(p.unifiedAddressing);
    case cudaDevAttrPciBusId: return is(p.pciBusID);
    case cudaDevAttrGlobalMemoryBusWidth: return is(p.memoryBusWidth);
    case cudaDevAttrL2CacheSize: return is(p.l2CacheSize);
    case cudaDevAttrMaxThreadsPerMultiProcessor: return is(p.maxThreadsPerMultiProcessor);
    case cudaDevAttrComputeCapabilityMajor: return is(p.major);
    case cudaDevAttrComputeCapabilityMinor: return is(p.minor);
    case cudaDevAttrStreamPrioritiesSupported: return is(p.streamPrioritiesSupported);
    case cudaDevAttrGlobalL1CacheSupported: return is(p.globalL1CacheSupported);
    case cudaDevAttrLocalL1CacheSupported: return is(p.localL1CacheSupported);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return is(p.sharedMemPerMultiprocessor);
    case cudaDevAttrManagedMemory: return is(p.managedMemory);
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return is(p.singleToDoublePrecisionPerfRatio);
    case cudaDevAttrConcurrentManagedAccess: return is(p.concurrentManagedAccess);
    case cudaDevAttrComputePreemptionSupported: return is(p.computePreemptionSupported);
    case cudaDevAttrCanUseHostPointerForRegisteredMem: return is(p.canUseHostPointerForRegisteredMem);
    case cudaDevAttrCooperativeLaunch: return is(p.cooperativeLaunch);
    case cudaDevAttrMemoryPoolsSupported: return is(p.memoryPoolsSupported);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return is(p.sharedMemPerBlockOptin);
    case cudaDevAttrReservedSharedMemoryPerBlock: return is(p.reservedSharedMemPerBlock);
    case cudaDevAttrMaxBlocksPerMultiprocessor: return is(p.maxBlocksPerMultiProcessor);
    default:  // what the device has not
      if (attribute < cudaDevAttrMaxThreadsPerBlock || attribute > cudaDevAttrHostMemoryPoolsSupported) {
        return done(cudaErrorInvalidValue);
      }
      return is(0);
  }
}

}  // extern "C"
