// A block waits for a flag that says that a value is there, but nothing keeps flag and value in order.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void hand_over(int* value, volatile int* flag, int* result) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *value = 42;  // or: race
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *result = *value;  // fault: race
  }
}

int main() {
  int *memory, found = 0;
  check(cudaMalloc(&memory, 3 * sizeof(int)));
  check(cudaMemset(memory, 0, 3 * sizeof(int)));
  int *value = memory, *result = memory + 2;
  volatile int* flag = memory + 1;
  void* arguments[] = {&value, &flag, &result};
  check(cudaLaunchCooperativeKernel((void*)hand_over, dim3(2), dim3(32), arguments, 0, 0));
  check(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
  check(cudaFree(memory));
  return found == 42 ? 0 : 1;
}
