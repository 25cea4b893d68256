// One arrival per block is counted, but one per thread is waited for.
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
    while (atomicAdd(arrived, 0) < int(gridDim.x * blockDim.x)) {  // fault: no-progress
    }
    out[blockIdx.x] = 1;
  }
}

int main() {
  int *arrived, *out, h[2];
  check(cudaMalloc(&arrived, sizeof(int)));
  check(cudaMalloc(&out, sizeof h));
  check(cudaMemset(arrived, 0, sizeof(int)));
  void* args[] = {&arrived, &out};
  check(cudaLaunchCooperativeKernel(meet, 2, 32, args));
  check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(arrived));
  check(cudaFree(out));
  return h[0] + h[1] == 2 ? 0 : 1;
}
