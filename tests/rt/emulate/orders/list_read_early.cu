// Each thread pushes to a list, and after a barrier of its block reads on from there to the list's end, where another
// block may have reserved what it has not written.
#include "orders.h"

template <bool MENDED>
__global__ void push(int* p) {
  int *tail = p, *list = p + 64;
  __shared__ int first;
  if (threadIdx.x == 0) first = atomicAdd(tail, int(blockDim.x));
  __syncthreads();
  list[first + threadIdx.x] = blockIdx.x;
  __syncthreads();
  const int end = MENDED ? first + int(blockDim.x) : now(tail);
  int sum = 0;
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) sum += list[i];  // fault: race, uninitialised
  atomicAdd(p + 1, sum);
}

int main(int argc, char**) { return run(argc, push<false>, push<true>, 4, 64, 64 + 256, 64); }
