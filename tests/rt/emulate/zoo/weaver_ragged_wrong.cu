// options: --gpu vortex
#include "cuda_rt/weaver_unit.cuh"

__global__ void k(int* sum) {
  weaver_reg(int(threadIdx.x), 0, threadIdx.x % 3);  // fault: weaver
  __syncthreads();
  for (int v; weaver_any(v = weaver_dec_id());)
    if (v != -1) atomicAdd(sum, int(weaver_dec_loc()));
}
int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  k<<<1, 40>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
}
