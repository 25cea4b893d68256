// The result of a group's single atomic is read from the lane that made it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void push(const int* in, int* out, int* tail) {
  const int lane = threadIdx.x;
  const bool wanted = in[lane] % 4 == 1;
  const unsigned group = __ballot_sync(0xffffffffu, wanted);
  if (wanted) {
    const int leader = __ffs(group) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(tail, __popc(group));
    base = __shfl_sync(group, base, leader);
    out[base + __popc(group & ((1u << lane) - 1))] = in[lane];
  }
}

int main() {
  int h[32], result[8], count, *in, *out, *tail;
  for (int i = 0; i < 32; ++i) h[i] = i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMalloc(&tail, sizeof(int)));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(tail, 0, sizeof(int)));
  push<<<1, 32>>>(in, out, tail);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(&count, tail, sizeof count, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  check(cudaFree(tail));
  for (int i = 0; i < 8; ++i)
    if (result[i] != 4 * i + 1) return 1;
  return count == 8 ? 0 : 1;
}
