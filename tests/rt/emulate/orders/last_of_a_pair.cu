// Of two blocks the even one adds up both halves, if it is the later one to end.
#include "orders.h"

template <bool MENDED>
__global__ void add_up(int* p) {
  int *ended = p + blockIdx.x / 2, *half = p + 8, *sum = p + 16;
  half[blockIdx.x] = blockIdx.x;
  if (MENDED) __threadfence();
  const bool is_last = atomicAdd(ended, 1) == 1;
  if (is_last && blockIdx.x % 2 == 0) {
    if (MENDED) __threadfence();
    sum[blockIdx.x / 2] = half[blockIdx.x] + half[blockIdx.x + 1];  // fault: race
  }
}

int main(int argc, char**) { return run(argc, add_up<false>, add_up<true>, 8, 1, 20, 20); }
