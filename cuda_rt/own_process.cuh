// What a program with a process of its own settles before its first call of CUDA. A library in somebody's process
// leaves these as they are.
//
//     irgl::own_process();     the first statement of main
#pragma once
#include <stdint.h>
#include <stdlib.h>

#include <cuda_runtime.h>

namespace irgl {

// Kernels are loaded at the start instead of in the time of the first run. What a list gives back when it grows stays
// with the process: by default the next wait would hand it to the system, and the next growth ask for it again. Where
// there is no device, the run will say so.
inline void own_process() {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  int device = 0;
  cudaMemPool_t pool{};
  uint64_t all = UINT64_MAX;
  if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetDefaultMemPool(&pool, device) != cudaSuccess ||
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all) != cudaSuccess)
    cudaGetLastError();
}

}  // namespace irgl
