// The first kernel writes every element.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void differences(const int* in, int* steps, int n) {
  const int i = threadIdx.x;
  if (i < n - 1) steps[i] = in[i + 1] - in[i];
  if (i == n - 1) steps[i] = 0;
}
__global__ void sum(const int* steps, int* out, int n) {
  if (threadIdx.x < n) atomicAdd(out, steps[threadIdx.x]);
}

int main() {
  const int n = 60;
  int h[n], total = 0, *in, *steps, *out;
  for (int i = 0; i < n; ++i) h[i] = i * i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&steps, sizeof h));
  check(cudaMalloc(&out, sizeof(int)));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof(int)));
  differences<<<1, 64>>>(in, steps, n);
  sum<<<1, 64>>>(steps, out, n);
  check(cudaGetLastError());
  check(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(steps));
  check(cudaFree(out));
  return total == 59 * 59 ? 0 : 1;
}
