// A barrier stands between the steps of the tree.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void total(const int* in, int* out) {
  __shared__ int slot[128];
  const int i = threadIdx.x;
  slot[i] = in[i];
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (i < step) slot[i] += slot[i + step];
    __syncthreads();
  }
  if (i == 0) *out = slot[0];
}

int main() {
  const int n = 128, m = 1;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = 3;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  total<<<1, 128>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 384) return 1;
  return 0;
}
