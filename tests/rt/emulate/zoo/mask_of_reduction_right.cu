// The mask of the reduction names the lanes that the branch lets in.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void sum_first(const int* in, int* out, int n) {
  const int lane = threadIdx.x;
  if (lane < n) {
    const unsigned mask = (1u << n) - 1;
    int x = in[lane];
    for (int step = 8; step > 0; step /= 2) {
      const int other = __shfl_down_sync(mask, x, step, 16);
      if (lane + step < n) x += other;
    }
    if (lane == 0) *out = x;
  }
  __syncthreads();
}

int main() {
  const int n = 32, m = 1;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  sum_first<<<1, 32>>>(in, out, 16);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 120) return 1;
  return 0;
}
