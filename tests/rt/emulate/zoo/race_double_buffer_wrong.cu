// The tile for the next step is loaded into the buffer that others still read.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void neighbour_sums(const int* in, int* out, int tiles) {
  __shared__ int tile[2][64];
  const int i = threadIdx.x;
  int sum = 0;
  tile[0][i] = tile[1][i] = in[i];
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    sum += tile[0][i ^ 33];  // fault: race
    if (t + 1 < tiles) tile[0][i] = in[(t + 1) * 64 + i];  // or: race
    __syncthreads();
  }
  out[i] = sum;
}

int main() {
  const int n = 256, m = 64;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i / 64;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  neighbour_sums<<<1, 64>>>(in, out, 4);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 6) return 1;
  return 0;
}
