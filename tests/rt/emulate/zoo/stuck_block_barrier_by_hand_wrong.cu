// A grid barrier made of a counter, in a launch of more blocks than fit on the device at once.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void meet(int* arrived, int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < int(gridDim.x)) {  // fault: no-progress
    }
    out[blockIdx.x] = 1;
  }
}

int main() {
  int *arrived, *out, h[4096];
  check(cudaMalloc(&arrived, sizeof(int)));
  check(cudaMalloc(&out, sizeof h));
  check(cudaMemset(arrived, 0, sizeof(int)));
  meet<<<4096, 32>>>(arrived, out);
  check(cudaGetLastError());
  check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(arrived));
  check(cudaFree(out));
  for (int i = 0; i < 4096; ++i)
    if (h[i] != 1) return 1;
  return 0;
}
