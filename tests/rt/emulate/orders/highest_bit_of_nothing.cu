// The highest bit of a set to which the blocks before have added.
#include "orders.h"

template <bool MENDED>
__global__ void reach(int* p) {
  unsigned* set = reinterpret_cast<unsigned*>(p);
  if (blockIdx.x > 0) {
    const unsigned seen = atomicOr(set, 0u);
    if (!MENDED || seen != 0) p[1 + blockIdx.x] = 1 << (31 - __clz(seen));  // fault: shift
  }
  atomicOr(set, 1u << blockIdx.x);
}

int main(int argc, char**) { return run(argc, reach<false>, reach<true>, 4, 1, 5, 5); }
