// A pool gives out 4 bytes or 8, as it is asked, and those of 8 must lie at a multiple of 8.
#include "orders.h"

template <bool MENDED>
__global__ void ask(int* p) {
  const bool is_wide = blockIdx.x % 3 == 0;
  char* from = reinterpret_cast<char*>(p + 2) + atomicAdd(p, is_wide || MENDED ? 8 : 4);
  if (is_wide)
    *reinterpret_cast<long long*>(from) = blockIdx.x;  // fault: misaligned
  else
    *reinterpret_cast<int*>(from) = blockIdx.x;
}

int main(int argc, char**) { return run(argc, ask<false>, ask<true>, 9, 1, 2 + 18, 2 + 18); }
