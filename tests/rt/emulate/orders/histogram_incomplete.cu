// Blocks count, and then make room by what the block before has counted.
#include "orders.h"

template <bool MENDED>
__global__ void count(int* p) {
  int *bins = p, *out = p + 8;
  atomicAdd(&bins[blockIdx.x], 1);
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    int n = now(&bins[blockIdx.x - 1]);
    if (MENDED && n == 0) n = 1;
    out[blockIdx.x * 32 + 32 % (n + 32) - 32 * (n == 0 ? 9 : 1)] = n;  // fault: out-of-bounds
  }
}

int main(int argc, char**) { return run(argc, count<false>, count<true>, 8, 32, 8 + 8 * 32, 8 + 8 * 32); }
