// Profilers have nothing to see here.
#pragma once
#include "cuda_runtime.h"

IRGL_EMU_API cudaProfilerStart(void) { return cudaSuccess; }
IRGL_EMU_API cudaProfilerStop(void) { return cudaSuccess; }
