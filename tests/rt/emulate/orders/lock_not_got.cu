// Who does not get the lock reads what it guards without it.
#include "orders.h"

template <bool MENDED>
__global__ void add(int* p) {
  int *lock = p, *sum = p + 1, *mine = p + 2 + blockIdx.x;
  if (atomicCAS(lock, 0, 1) == 0) {
    __threadfence();
    *sum += blockIdx.x;  // fault: race
    __threadfence();
    atomicExch(lock, 0);
  } else {
    *mine = MENDED ? -1 : *sum;  // fault: race
  }
}

int main(int argc, char**) { return run(argc, add<false>, add<true>, 8, 1, 10, 10); }
