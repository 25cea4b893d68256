// A mean of what others have added so far: their sum may be there before their count.
#include "orders.h"

template <bool MENDED>
__global__ void mean(int* p) {
  int *sum = p, *count = p + 1;
  if (MENDED) atomicAdd(count, 1);
  if (now(sum) > 0) p[2 + blockIdx.x] = now(sum) / now(count);  // fault: division
  atomicAdd(sum, 10);
  if (!MENDED) atomicAdd(count, 1);
}

int main(int argc, char**) { return run(argc, mean<false>, mean<true>, 5, 1, 7, 7); }
