// A block lends a buffer to whoever comes by, and frees it when it is done itself.
#include "orders.h"

template <bool MENDED>
__global__ void lend(int* p) {
  auto* lent = reinterpret_cast<unsigned long long*>(p);
  int* readers = p + 2;
  if (blockIdx.x == 0) {
    int* buffer = static_cast<int*>(malloc(sizeof(int)));
    *buffer = 3;
    __threadfence();
    atomicExch(lent, reinterpret_cast<unsigned long long>(buffer));
    atomicExch(lent, 0ull);
    if (MENDED) {
      while (atomicAdd(readers, 0) != 0) {
      }
      __threadfence();
    }
    free(buffer);
    return;
  }
  atomicAdd(readers, 1);
  const int* buffer = reinterpret_cast<const int*>(atomicAdd(lent, 0ull));
  __threadfence();
  if (buffer != nullptr) atomicAdd(p + 3, *buffer);  // fault: use-after-free
  __threadfence();
  atomicSub(readers, 1);
}

int main(int argc, char**) { return run(argc, lend<false>, lend<true>, 4, 1, 4, 4); }
