// bfloat16 as programs use it: weights of 16 bits that are trained in float, a softmax, a reduction with pairs.
#include <cuda_bf16.h>

#include <cmath>
#include <cstdio>
#include <vector>

using bf16 = __nv_bfloat16;

constexpr int ROWS = 8, COLUMNS = 64;

template <class T>
__device__ float number(T v);
template <>
__device__ float number(half v) { return __half2float(v); }
template <>
__device__ float number(bf16 v) { return __bfloat162float(v); }

__inline__ __device__ float warp_sum(float v) {
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffffu, v, mask);
  return v;
}
__inline__ __device__ bf16 warp_max(bf16 v) {
  for (int mask = 16; mask > 0; mask >>= 1) v = __hmax(v, __shfl_xor_sync(0xffffffffu, v, mask));
  return v;
}

// One warp for each row, two columns for each lane.
__global__ void softmax(const __nv_bfloat162* in, __nv_bfloat162* out) {
  const int at = blockIdx.x * (COLUMNS / 2) + threadIdx.x;
  const __nv_bfloat162 v = in[at];
  const float most = __bfloat162float(warp_max(__hmax(__low2bfloat16(v), __high2bfloat16(v))));
  const float2 f = __bfloat1622float2(v);
  const float2 e = make_float2(__expf(f.x - most), __expf(f.y - most));
  const float sum = warp_sum(e.x + e.y);
  out[at] = __floats2bfloat162_rn(e.x / sum, e.y / sum);
}

// The weights that are kept in float are the ones that learn.
__global__ void step(int n, float rate, const bf16* gradient, float* master, bf16* weights) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  master[i] = fmaf(-rate, number(gradient[i]), master[i]);
  weights[i] = __float2bfloat16(master[i]);
}

template <class T>
__global__ void column_sums(int rows, int columns, const T* in, float* out) {
  extern __shared__ float part[];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = 0;
  for (int r = 0; r < rows; r++) part[threadIdx.x] += number(in[r * columns + c]);
  out[c] = part[threadIdx.x];
}

__global__ void add_up(const bf16* in, bf16* one, __nv_bfloat162* two) {
  const bf16 v = in[threadIdx.x];
  atomicAdd(one, v);
  atomicAdd(two, __nv_bfloat162(v, -v));
  __shared__ __nv_bfloat162 shared[2];
  if (threadIdx.x < 2) shared[threadIdx.x] = __float2bfloat162_rn(0);
  __syncthreads();
  atomicAdd(&shared[threadIdx.x % 2], __bfloat162bfloat162(v));
  __syncthreads();
  if (threadIdx.x == 0) two[1] = shared[0] + shared[1] * __float2bfloat162_rn(2.0f);
}

__global__ void functions(int* wrong) {
  const bf16 two = 2, three = 3.0f;
  int bad = 0;
  bad += hsqrt(bf16(9)) != three || hexp2(three) != bf16(8) || hlog2(bf16(8)) != three || hrsqrt(bf16(4)) != bf16(0.5);
  bad += __hfma(two, three, two) != bf16(8) || __hsub(two, three) != bf16(-1) || __hdiv(three, two) != bf16(1.5f);
  bad += __hadd_sat(two, three) != bf16(1) || __hfma_relu(two, -three, two) != CUDART_ZERO_BF16;
  bad += hrint(bf16(2.5f)) != two || hceil(bf16(2.5f)) != three || __bfloat162int_rd(bf16(-0.5f)) != -1;
  bad += !__hltu(CUDART_NAN_BF16, two) || __hlt(CUDART_NAN_BF16, two) || !__hisinf(-CUDART_INF_BF16);
  bad += !(__nv_bfloat162(two, three) == __halves2bfloat162(two, three)) || __float2bfloat16_ru(1.001f) <= bf16(1);
  bad += (float)half(bf16(1.5f)) != 1.5f || (float)bf16(half(-0.25f)) != -0.25f || !three || (bool)CUDART_ZERO_BF16;
  if (bad != 0) atomicAdd(wrong, bad);
}

int main() {
  constexpr int N = ROWS * COLUMNS;
  std::vector<bf16> x(N), y(N);
  std::vector<float> master(N, 1.0f), sums(COLUMNS);
  for (int i = 0; i < N; i++) x[i] = __float2bfloat16((float)(i * 7 % 16) - 8);
  bf16 *dx, *dy, *weights, *one;
  __nv_bfloat162* two;
  float *dm, *ds;
  int wrong = 0, *dw;
  cudaMalloc(&dx, N * sizeof(bf16));
  cudaMalloc(&dy, N * sizeof(bf16));
  cudaMalloc(&weights, N * sizeof(bf16));
  cudaMalloc(&one, sizeof(bf16));
  cudaMalloc(&two, 2 * sizeof(__nv_bfloat162));
  cudaMalloc(&dm, N * sizeof(float));
  cudaMalloc(&ds, COLUMNS * sizeof(float));
  cudaMalloc(&dw, sizeof wrong);
  cudaMemcpy(dx, x.data(), N * sizeof(bf16), cudaMemcpyHostToDevice);
  cudaMemcpy(dm, master.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(one, 0, sizeof(bf16));
  cudaMemset(two, 0, 2 * sizeof(__nv_bfloat162));
  cudaMemset(dw, 0, sizeof wrong);

  softmax<<<ROWS, 32>>>(reinterpret_cast<__nv_bfloat162*>(dx), reinterpret_cast<__nv_bfloat162*>(dy));
  cudaMemcpy(y.data(), dy, N * sizeof(bf16), cudaMemcpyDeviceToHost);
  for (int r = 0; r < ROWS; r++) {
    float sum = 0;
    for (int c = 0; c < COLUMNS; c++) sum += __bfloat162float(y[r * COLUMNS + c]);
    wrong += std::fabs(sum - 1) > 0.01f;
  }

  step<<<(N + 127) / 128, 128>>>(N, 0.0625f, dx, dm, weights);
  cudaMemcpy(y.data(), weights, N * sizeof(bf16), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) wrong += (float)y[i] != 1 - 0.0625f * (float)x[i];

  column_sums<<<2, COLUMNS / 2, COLUMNS / 2 * sizeof(float)>>>(ROWS, COLUMNS, weights, ds);
  cudaMemcpy(sums.data(), ds, COLUMNS * sizeof(float), cudaMemcpyDeviceToHost);
  for (int c = 0; c < COLUMNS; c++) {
    float sum = 0;
    for (int r = 0; r < ROWS; r++) sum += (float)y[r * COLUMNS + c];
    wrong += sum != sums[c];
  }

  add_up<<<1, 32>>>(dx, one, two);
  functions<<<1, 32>>>(dw);
  bf16 total;
  __nv_bfloat162 totals[2];
  int more;
  cudaMemcpy(&total, one, sizeof total, cudaMemcpyDeviceToHost);
  cudaMemcpy(totals, two, sizeof totals, cudaMemcpyDeviceToHost);
  cudaMemcpy(&more, dw, sizeof more, cudaMemcpyDeviceToHost);
  wrong += more;
  printf("%d wrong, %g, %g %g, %g %g, third %.6f %s\n", wrong, (float)total, (float)totals[0].x, (float)totals[0].y,
         __low2float(totals[1]), __high2float(totals[1]), (float)bf16(1.0 / 3), cudaGetErrorString(cudaGetLastError()));
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(weights);
  cudaFree(one);
  cudaFree(two);
  cudaFree(dm);
  cudaFree(ds);
  cudaFree(dw);
  return wrong != 0;
}
