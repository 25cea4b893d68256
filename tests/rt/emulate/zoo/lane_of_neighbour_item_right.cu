// All lanes shuffle; those without an item offer a neutral value.
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
  const int mine = lane < n ? in[lane] : in[n - 1];
  const int next = __shfl_sync(0xffffffffu, mine, lane + 1);
  if (lane < n) out[lane] = next - mine;
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
