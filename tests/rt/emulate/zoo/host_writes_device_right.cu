// The host fills a structure of its own and copies it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

struct State {
  int level, reached;
};
__global__ void visit(State* state) {
  atomicAdd(&state->reached, 1);
}

int main() {
  State *d, h = {1, 0};
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
  visit<<<1, 32>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  return h.level == 1 && h.reached == 32 ? 0 : 1;
}
