// Error codes of the CUDA runtime.
#pragma once

#define IRGL_EMU_ERROR(name, code, text) name = code,
enum cudaError {
#include "error_codes.h"
};
#undef IRGL_EMU_ERROR
typedef enum cudaError cudaError_t;
