// A mask taken before the loop is used in it, after lanes have left.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void odd_trips(const int* in, int* out) {
  int left = in[threadIdx.x], total = 0;
  const unsigned mask = __ballot_sync(0xffffffffu, left > 0);
  while (left > 0) {
    total += __popc(__ballot_sync(mask, left & 1));  // fault: mask
    --left;
  }
  __syncthreads();
  out[threadIdx.x] = total;
}

int main() {
  const int n = 32, m = 32;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = (i == 31 ? 2 : 1);
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  odd_trips<<<1, 32>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != (i == 31 ? 32 : 31)) return 1;
  return 0;
}
