// An owner takes from one end of its list and a thief from the other; each looks at the other's end first.
#include "orders.h"

template <bool MENDED>
__device__ bool take(int* head, int* tail, bool at_head, int* item) {
  if (MENDED) {  // from one end, in one step
    *item = atomicAdd(head, 1);
    return *item < now(tail);
  }
  if (now(head) >= now(tail)) return false;
  *item = at_head ? atomicAdd(head, 1) : atomicSub(tail, 1) - 1;
  return true;
}

template <bool MENDED>
__global__ void work(int* p) {
  int *head = p, *tail = p + 1, *is_set = p + 2, *out = p + 4;
  if (blockIdx.x == 0 || now(is_set) != 0) {
    if (blockIdx.x == 0) atomicExch(tail, 8), atomicExch(is_set, 1);
    int item;
    while (take<MENDED>(head, tail, blockIdx.x != 0, &item)) out[item] = blockIdx.x + 1;  // fault: race, out-of-bounds
  }
}

int main(int argc, char**) { return run(argc, work<false>, work<true>, 3, 1, 12, 12); }
