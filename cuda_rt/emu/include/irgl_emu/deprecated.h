// What CUDA 12 still had, deprecated, and CUDA 13 has no more: it runs, with a warning.
#pragma once
#include "api_more.h"

#define IRGL_EMU_OLD(name, parameters, instead, ...) \
  IRGL_EMU_API name parameters {                     \
    irgl_emu_deprecated(#name, #instead);            \
    return instead(__VA_ARGS__);                     \
  }
IRGL_EMU_OLD(cudaThreadSynchronize, (), cudaDeviceSynchronize)
IRGL_EMU_OLD(cudaThreadExit, (), cudaDeviceReset)
IRGL_EMU_OLD(cudaThreadSetLimit, (cudaLimit limit, size_t value), cudaDeviceSetLimit, limit, value)
IRGL_EMU_OLD(cudaThreadGetLimit, (size_t * value, cudaLimit limit), cudaDeviceGetLimit, value, limit)
IRGL_EMU_OLD(cudaThreadSetCacheConfig, (cudaFuncCache config), cudaDeviceSetCacheConfig, config)
IRGL_EMU_OLD(cudaThreadGetCacheConfig, (cudaFuncCache * config), cudaDeviceGetCacheConfig, config)
#undef IRGL_EMU_OLD
