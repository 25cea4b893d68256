// A block that has not got the lock frees it all the same.
#include "orders.h"

template <bool MENDED>
__global__ void add(int* p) {
  int *lock = p, *sum = p + 1;
  const bool is_mine = atomicCAS(lock, 0, 1) == 0;
  if (is_mine) {
    __threadfence();
    *sum += 1;  // fault: race
    __threadfence();
  }
  if (is_mine || !MENDED) atomicExch(lock, 0);
}

int main(int argc, char**) { return run(argc, add<false>, add<true>, 12, 1, 2, 2); }
