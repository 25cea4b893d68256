// A block says that a number is there before it is.
#include "orders.h"

template <bool MENDED>
__global__ void send(int* p) {
  int *flag = p, *data = p + 1;
  if (blockIdx.x == 0) {
    if (MENDED) atomicExch(data, 5);
    atomicExch(flag, 1);
    if (!MENDED) atomicExch(data, 5);
  } else if (now(flag) == 1) {
    p[2 + blockIdx.x] = 10 / now(data);  // fault: division
  }
}

int main(int argc, char**) { return run(argc, send<false>, send<true>, 4, 1, 6, 6); }
