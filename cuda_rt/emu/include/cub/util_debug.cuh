// CubDebug and CubDebugExit.
#pragma once
#include <stdio.h>
#include <stdlib.h>

#include "../cuda_runtime.h"

namespace cub {

IRGL_EMU_INLINE cudaError_t Debug(cudaError_t error, const char* file, int line) {
  cudaGetLastError();
  if (error != cudaSuccess) {
    fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", error, file, line, cudaGetErrorString(error));
  }
  return error;
}

}  // namespace cub

#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e) \
  if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__) != cudaSuccess) exit(1)
