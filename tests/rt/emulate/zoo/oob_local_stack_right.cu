// The stack has room for the deepest path.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void depth(int* a) {
  int stack[16];
  int top = 0, sum = 0;
  for (int x = a[threadIdx.x]; x > 0; x /= 2) {
    stack[top] = x;
    ++top;
  }
  while (top > 0) sum += stack[--top];
  a[threadIdx.x] = sum;
}

int main() {
  const int n = 32;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = (i == 31 ? 1023 : 1);
  check(cudaMalloc(&d, sizeof h));
  check(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  depth<<<1, 32>>>(d);
  check(cudaGetLastError());
  check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d));
  for (int i = 0; i < n; ++i)
    if (h[i] != (i == 31 ? 2036 : 1)) return 1;
  return 0;
}
