// All warps leave their sum in one slot instead of each in its own.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void total(const int* in, int* out) {
  __shared__ int of_warp[4];
  const int lane = threadIdx.x % 32;
  int x = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) x += __shfl_down_sync(0xffffffffu, x, step);
  if (lane == 0) of_warp[0] = x;  // fault: race
  __syncthreads();
  if (threadIdx.x == 0) *out = 4 * of_warp[0];
}

int main() {
  const int n = 128, m = 1;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
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
    if (result[i] != 8128) return 1;
  return 0;
}
