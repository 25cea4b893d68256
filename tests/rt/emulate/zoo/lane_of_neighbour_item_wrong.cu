// Only lanes with an item shuffle, but they read their neighbour's value whether it has one or not.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void differences(const int* in, int* out, int n) {
  const int lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffu, lane < n);
  if (lane < n) {
    const int next = __shfl_sync(mask, in[lane], lane + 1);  // fault: inactive-lane
    out[lane] = next - in[lane];
  }
}

int main() {
  const int n = 20, m = 20;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = 3 * i;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  differences<<<1, 32>>>(in, out, n);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != (i < 19 ? 3 : 0)) return 1;
  return 0;
}
