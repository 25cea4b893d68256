// Each warp reserves as many slots as its lanes have items.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void odd(const int* in, int* list, int* tail) {
  const int lane = threadIdx.x;
  const bool wanted = in[lane] % 2 != 0;
  const unsigned who = __ballot_sync(0xffffffffu, wanted);
  int at = 0;
  if (lane == 0) at = atomicAdd(tail, __popc(who));
  at = __shfl_sync(0xffffffffu, at, 0) + __popc(who & ((1u << lane) - 1));
  if (wanted) list[at] = in[lane];
}
__global__ void sum(const int* list, const int* tail, int* out) {
  for (int i = threadIdx.x; i < *tail; i += 32) atomicAdd(out, list[i]);
}

int main() {
  int h[32], total = 0, *in, *list, *counters;
  for (int i = 0; i < 32; ++i) h[i] = i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&list, sizeof h));
  check(cudaMalloc(&counters, 2 * sizeof(int)));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(counters, 0, 2 * sizeof(int)));
  odd<<<1, 32>>>(in, list, counters);
  sum<<<1, 32>>>(list, counters, counters + 1);
  check(cudaGetLastError());
  check(cudaMemcpy(&total, counters + 1, sizeof total, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(list));
  check(cudaFree(counters));
  return total == 256 ? 0 : 1;
}
