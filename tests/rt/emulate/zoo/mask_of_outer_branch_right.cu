// Inside the second branch, lanes vote with the mask of those that took it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void odd_big(const int* in, int* out) {
  const int lane = threadIdx.x;
  const bool big = in[lane] > 7, odd = in[lane] % 2 != 0;
  const unsigned mask = __ballot_sync(0xffffffffu, big);
  int rank = -1;
  if (big) {
    const unsigned both = __ballot_sync(mask, odd);
    if (odd) rank = __popc(__ballot_sync(both, odd) & ((1u << lane) - 1));
  }
  __syncthreads();
  out[lane] = rank;
}

int main() {
  const int n = 32, m = 32;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  odd_big<<<1, 32>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != (i > 7 && i % 2 ? (i - 8) / 2 : -1)) return 1;
  return 0;
}
