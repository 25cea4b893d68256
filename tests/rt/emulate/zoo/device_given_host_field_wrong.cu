// A structure is passed by value, but one of its pointers leads to host memory.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

struct Graph {
  int nodes;
  const int *row, *cols;
};
__global__ void first_neighbours(Graph g, int* out) {
  const int v = threadIdx.x;
  if (v < g.nodes) out[v] = g.cols[g.row[v]];  // fault: device-access
}

int main() {
  int row[4] = {0, 1, 2, 3}, cols[3] = {2, 0, 1}, h[3], *d_row, *d_cols, *out;
  check(cudaMalloc(&d_row, sizeof row));
  check(cudaMalloc(&d_cols, sizeof cols));
  check(cudaMalloc(&out, sizeof h));
  check(cudaMemcpy(d_row, row, sizeof row, cudaMemcpyHostToDevice));
  check(cudaMemcpy(d_cols, cols, sizeof cols, cudaMemcpyHostToDevice));
  const Graph g = {3, d_row, cols};
  first_neighbours<<<1, 32>>>(g, out);
  check(cudaGetLastError());
  check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  check(cudaFree(d_row));
  check(cudaFree(d_cols));
  check(cudaFree(out));
  return h[0] == 2 && h[1] == 0 && h[2] == 1 ? 0 : 1;
}
