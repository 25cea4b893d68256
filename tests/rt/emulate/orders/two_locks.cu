// Two blocks take two locks, each the other's first one second.
#include "orders.h"

template <bool MENDED>
__global__ void transfer(int* p) {
  const int first = MENDED ? 0 : blockIdx.x % 2;
  int *a = p + first, *b = p + 1 - first;
  while (atomicCAS(a, 0, 1) != 0) {  // fault: no-progress
  }
  while (atomicCAS(b, 0, 1) != 0) {  // fault: no-progress
  }
  __threadfence();
  p[2] += 1;
  __threadfence();
  atomicExch(b, 0);
  atomicExch(a, 0);
}

int main(int argc, char**) { return run(argc, transfer<false>, transfer<true>, 4, 1, 3, 3); }
