// The kernel is given the device's copy of the array.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void twice(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main() {
  int *h = static_cast<int*>(malloc(32 * sizeof(int))), *in, *out;
  for (int i = 0; i < 32; ++i) h[i] = i;
  check(cudaMalloc(&in, 32 * sizeof(int)));
  check(cudaMalloc(&out, 32 * sizeof(int)));
  check(cudaMemcpy(in, h, 32 * sizeof(int), cudaMemcpyHostToDevice));
  twice<<<1, 32>>>(in, out);
  check(cudaGetLastError());
  check(cudaMemcpy(h, out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  const int last = h[31];
  check(cudaFree(in));
  check(cudaFree(out));
  free(h);
  return last == 62 ? 0 : 1;
}
