// The host's side: modules that programs register, and launches of their kernels.
#pragma once
#include <cuda_runtime_api.h>

#include "memory.hpp"

namespace ptx {

struct Kernel {
  const Module* module;
  const Function* function;
};
const Kernel* kernel_of(const void* host);  // null: not registered
cudaError_t told(cudaError_t error);        // remembers it for cudaGetLastError
cudaError_t launch(const void* host, dim3 grid, dim3 block, void** args, size_t shared, bool cooperative);
// Where a graph takes launches, it keeps this one.
bool capture(const Kernel& k, const void* host, dim3 grid, dim3 block, void** args, size_t shared);
int multiprocessors();
int blocks_of_one(const Kernel& k, int threads, size_t dynamic_shared);

}  // namespace ptx

#define PTX_API extern "C" __attribute__((visibility("default")))
