// Each thread asks for itself whether another block wants an end, and those that see it leave before a barrier.
#include "orders.h"

template <bool MENDED>
__global__ void search(int* p) {
  __shared__ int stops;
  volatile int* end = p;
  for (int round = 0; round < 4; round++) {
    if (MENDED) {
      if (threadIdx.x == 0) stops = *end;
      __syncthreads();  // fault: barrier-missed
      if (stops) break;
    } else if (*end) {
      break;
    }
    __syncthreads();  // fault: barrier-missed
  }
  if (blockIdx.x == 3) *end = 1;
}

int main(int argc, char**) { return run(argc, search<false>, search<true>, 4, 96, 1, 1); }
