// A stack has room for what one block pushes before it pops it again.
#include "orders.h"

template <bool MENDED>
__global__ void push_and_pop(int* p) {
  int *top = p, *stack = p + 1;
  const int at = atomicAdd(top, 1);
  if (at < 32 || !MENDED) atomicExch(&stack[at], blockIdx.x);  // fault: out-of-bounds
  __syncthreads();
  atomicSub(top, 1);
}

int main(int argc, char**) { return run(argc, push_and_pop<false>, push_and_pop<true>, 8, 32, 33, 33); }
