// The first block sets what the others divide by.
#include "orders.h"

template <bool MENDED>
__global__ void divide(int* p) {
  int* divisor = p;
  if (blockIdx.x == 0) atomicExch(divisor, 4);
  const int by = now(divisor);
  if (MENDED && by == 0) return;
  p[1 + blockIdx.x] = 100 / by;  // fault: division
}

int main(int argc, char**) { return run(argc, divide<false>, divide<true>, 8, 1, 9, 9); }
