// What a program settles before its first call of CUDA: the pool gives nothing back.
#include "cuda_rt/own_process.cuh"

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
  CHECK(threshold() == 0, "%lu", threshold());
  irgl::own_process();
  CHECK(threshold() == UINT64_MAX, "%lu", threshold());
  return driver::end();
}
