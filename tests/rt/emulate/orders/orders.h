// What the programs of this folder share: a kernel with a fault that needs an order of blocks, and its mended twin.
#pragma once
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

// Runs the first kernel, or where the program has an argument the second one, on `words` words. The first `zeroed` are
// 0, and nobody has written the others.
using Kernel = void (*)(int*);
inline int run(int argc, Kernel wrong, Kernel mended, int blocks, int threads, int words, int zeroed) {
  int* p;
  check(cudaMalloc(&p, words * sizeof(int)));
  check(cudaMemset(p, 0, zeroed * sizeof(int)));
  (argc > 1 ? mended : wrong)<<<blocks, threads>>>(p);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaFree(p));
  return 0;
}

// The value that others change by atomic operations.
__device__ inline int now(int* p) { return atomicAdd(p, 0); }
