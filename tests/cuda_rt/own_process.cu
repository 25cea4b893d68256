// What a program settles before its first call of CUDA: kernels are loaded at once, and the pool gives nothing back.
#include "cuda_rt/own_process.cuh"

#include <string.h>

#include "driver.hpp"

extern "C" int irgl_run(irgl_run_args*) { return 1; }

uint64_t threshold() {
  cudaMemPool_t pool{};
  uint64_t bytes = 0;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess, "no pool");
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes) == cudaSuccess, "no threshold");
  return bytes;
}

int main() {
  unsetenv("CUDA_MODULE_LOADING");
  CHECK(threshold() == 0, "%lu", threshold());
  irgl::own_process();
  CHECK(threshold() == UINT64_MAX, "%lu", threshold());
  CHECK(strcmp(getenv("CUDA_MODULE_LOADING"), "EAGER") == 0, "%s", getenv("CUDA_MODULE_LOADING"));
  setenv("CUDA_MODULE_LOADING", "LAZY", 1);
  irgl::own_process();
  CHECK(strcmp(getenv("CUDA_MODULE_LOADING"), "LAZY") == 0, "%s", getenv("CUDA_MODULE_LOADING"));
  return driver::end();
}
