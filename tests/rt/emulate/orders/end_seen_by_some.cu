// The last block takes back the sign by which the others know that there is work.
#include <cooperative_groups.h>

#include "orders.h"

template <bool MENDED>
__global__ void rounds(int* p) {
  auto grid = cooperative_groups::this_grid();
  volatile int* has_work = p;
  if (*has_work) {
    if (MENDED) grid.sync();
    if (blockIdx.x + 1 == gridDim.x) *has_work = 0;
    grid.sync();  // fault: grid-sync
    grid.sync();
  }
}

int main(int argc, char**) {
  int* p;
  check(cudaMalloc(&p, sizeof(int)));
  check(cudaMemset(p, 1, sizeof(int)));
  void* args[] = {&p};
  check(cudaLaunchCooperativeKernel(argc > 1 ? (void*)rounds<true> : (void*)rounds<false>, 4, 1, args));
  check(cudaDeviceSynchronize());
  check(cudaFree(p));
  return 0;
}
