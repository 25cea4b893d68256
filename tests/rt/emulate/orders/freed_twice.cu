// Whoever finds a buffer frees it, and then says that it is gone.
#include "orders.h"

template <bool MENDED>
__global__ void clean(int* p) {
  auto* place = reinterpret_cast<unsigned long long*>(p);
  if (blockIdx.x == 0) atomicExch(place, reinterpret_cast<unsigned long long>(malloc(16)));
  const unsigned long long found = MENDED ? atomicExch(place, 0ull) : atomicAdd(place, 0ull);
  if (found == 0) return;
  atomicAdd(p + 2, 1);
  free(reinterpret_cast<void*>(found));  // fault: bad-free
  if (!MENDED) atomicExch(place, 0ull);
}

int main(int argc, char**) { return run(argc, clean<false>, clean<true>, 4, 1, 4, 4); }
