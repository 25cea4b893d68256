// A block takes what another one has made, if it is there already; between the two is no fence.
#include "orders.h"

template <bool MENDED>
__global__ void hand_over(int* p) {
  int *flag = p, *data = p + 1;
  if (blockIdx.x == 1) {
    *data = 7;
    if (MENDED) __threadfence();
    atomicExch(flag, 1);
  } else if (now(flag) == 1) {
    if (MENDED) __threadfence();
    p[2] = *data;  // fault: race
  }
}

int main(int argc, char**) { return run(argc, hand_over<false>, hand_over<true>, 2, 1, 3, 3); }
