// Each block waits for a flag that another block sets, in a launch of more blocks than fit on the device at once.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void chain(volatile int* flag) {
  const int next = (blockIdx.x + 2049) % gridDim.x;
  if (next != 0) {
    while (flag[next] == 0) {  // fault: no-progress
    }
  }
  flag[blockIdx.x] = 1;
}

int main() {
  int *flag, h[4096];
  check(cudaMalloc(&flag, sizeof h));
  check(cudaMemset(flag, 0, sizeof h));
  chain<<<4096, 1>>>(flag);
  check(cudaGetLastError());
  check(cudaMemcpy(h, flag, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(flag));
  return h[0] == 1 ? 0 : 1;
}
