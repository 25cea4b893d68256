// How many items are written says nothing of which ones are.
#include "orders.h"

template <bool MENDED>
__global__ void append(int* p) {
  int *tail = p, *written = p + 1;
  volatile int* list = p + 8;
  const int at = atomicAdd(tail, 1);
  list[at] = blockIdx.x;
  __threadfence();
  if (MENDED) {
    while (now(written) != at) {
    }
  }
  atomicAdd(written, 1);
  const int n = now(written);
  __threadfence();
  int sum = 0;
  for (int i = 0; i < n; i++) sum += list[i];  // fault: uninitialised
  atomicAdd(p + 2, sum);
}

int main(int argc, char**) { return run(argc, append<false>, append<true>, 6, 1, 14, 8); }
