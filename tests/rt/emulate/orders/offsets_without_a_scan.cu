// Each block adds its number of items to the total, and takes what the total is then for the end of its own.
#include "orders.h"

template <bool MENDED>
__global__ void place(int* p) {
  int *total = p, *out = p + 1;
  __shared__ int base;
  const int mine = blockDim.x;
  if (threadIdx.x == 0) {
    const int before = atomicAdd(total, mine);
    if (MENDED) base = before;
  }
  __syncthreads();
  if (!MENDED && threadIdx.x == 0) base = now(total) - mine;
  __syncthreads();
  out[base + threadIdx.x] = blockIdx.x;  // fault: race
}

int main(int argc, char**) { return run(argc, place<false>, place<true>, 6, 32, 1 + 6 * 32, 1 + 6 * 32); }
