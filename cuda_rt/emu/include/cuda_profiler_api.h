// Profilers have nothing to see here.
#pragma once
#include "cuda_runtime.h"

#define __CUDA_PROFILER_API_H__

IRGL_EMU_API cudaProfilerStart(void) { return cudaSuccess; }
IRGL_EMU_API cudaProfilerStop(void) { return cudaSuccess; }
