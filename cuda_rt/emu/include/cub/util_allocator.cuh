// cub::CachingDeviceAllocator, which keeps nothing here: what is freed is freed, so that later uses of it are found.
#pragma once
#include "util_debug.cuh"

namespace cub {

struct CachingDeviceAllocator {
  static constexpr unsigned INVALID_BIN = ~0u;
  static constexpr size_t INVALID_SIZE = ~size_t(0);

  CachingDeviceAllocator(bool = false, bool = false) {}
  CachingDeviceAllocator(unsigned, unsigned = 1, unsigned = INVALID_BIN, size_t = INVALID_SIZE, bool = false,
                         bool = false) {}
  IRGL_EMU_MEMBER cudaError_t SetMaxCachedBytes(size_t) { return cudaSuccess; }
  IRGL_EMU_MEMBER cudaError_t DeviceAllocate(void** p, size_t bytes, cudaStream_t = 0) { return cudaMalloc(p, bytes); }
  IRGL_EMU_MEMBER cudaError_t DeviceAllocate(int device, void** p, size_t bytes, cudaStream_t = 0) {
    int before = 0;
    cudaGetDevice(&before);
    cudaError_t e = cudaSetDevice(device);
    if (e == cudaSuccess) e = cudaMalloc(p, bytes);
    cudaSetDevice(before);
    return e;
  }
  IRGL_EMU_MEMBER cudaError_t DeviceFree(void* p) { return cudaFree(p); }
  IRGL_EMU_MEMBER cudaError_t DeviceFree(int, void* p) { return cudaFree(p); }
  IRGL_EMU_MEMBER cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub
