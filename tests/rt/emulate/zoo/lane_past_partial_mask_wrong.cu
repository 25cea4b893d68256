// Lanes of the lower half read down into the upper half, which is not in their mask.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void lower_sum(const int* in, int* out) {
  const int lane = threadIdx.x;
  if (lane < 16) {
    int x = in[lane];
    for (int step = 8; step > 0; step /= 2) {
      x += __shfl_down_sync(0x0000ffffu, x, step);  // fault: inactive-lane
    }
    if (lane == 0) *out = x;
  }
}

int main() {
  const int n = 32, m = 1;
  int h[n], result[m], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = 1;
  check(cudaMalloc(&in, sizeof h));
  check(cudaMalloc(&out, sizeof result));
  check(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  check(cudaMemset(out, 0, sizeof result));
  lower_sum<<<1, 32>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));
  for (int i = 0; i < m; ++i)
    if (result[i] != 16) return 1;
  return 0;
}
