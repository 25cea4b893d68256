// A distance that no block has set yet is the largest number, to which one more is added.
#include "orders.h"

template <bool MENDED>
__global__ void relax(int* p) {
  int* distance = p;
  const int v = blockIdx.x, before = v == 0 ? 0 : now(&distance[v - 1]);
  if (MENDED && before == 0x7fffffff) return;
  atomicMin(&distance[v], before + 1);  // fault: overflow
}

int main(int argc, char**) {
  int *p, h[8];
  for (int& d : h) d = 0x7fffffff;
  check(cudaMalloc(&p, sizeof h));
  check(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
  const Kernel kernel = argc > 1 ? relax<true> : relax<false>;
  kernel<<<8, 1>>>(p);
  check(cudaDeviceSynchronize());
  check(cudaFree(p));
  return 0;
}
