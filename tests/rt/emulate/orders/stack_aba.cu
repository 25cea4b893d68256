// A stack of free nodes whose head says nothing of what happened between reading it and swapping it.
#include "orders.h"

// Nodes are numbered from 1. The upper half of the mended head counts how often it was swapped.
template <bool MENDED>
__device__ int pop(int* head, int* next) {
  for (;;) {
    const int seen = now(head), node = seen & 0xffff;
    if (node == 0) return 0;
    const int swapped = now(&next[node]) | (MENDED ? (seen & 0x7fff0000) + 0x10000 : 0);
    if (atomicCAS(head, seen, swapped) == seen) return node;
  }
}
template <bool MENDED>
__device__ void push(int* head, int* next, int node) {
  for (;;) {
    const int seen = now(head);
    atomicExch(&next[node], seen & 0xffff);
    __threadfence();
    const int swapped = node | (MENDED ? (seen & 0x7fff0000) + 0x10000 : 0);
    if (atomicCAS(head, seen, swapped) == seen) return;
  }
}

template <bool MENDED>
__global__ void use(int* p) {
  int *head = p, *next = p + 1, *data = p + 8;  // nobody pushes its second node again
  const int a = pop<MENDED>(head, next), b = pop<MENDED>(head, next);
  __threadfence();
  if (a != 0) push<MENDED>(head, next, a);
  if (b != 0) data[b] += 1;  // fault: race
}

int main(int argc, char**) {
  int *p, h[16] = {1, 0, 2, 3, 4, 0};
  check(cudaMalloc(&p, sizeof h));
  check(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
  const Kernel kernel = argc > 1 ? use<true> : use<false>;
  kernel<<<3, 1>>>(p);
  check(cudaDeviceSynchronize());
  check(cudaFree(p));
  return 0;
}
