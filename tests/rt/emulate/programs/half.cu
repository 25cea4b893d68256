// Floats of 16 bits as programs use them: pairs, loads of eight at a time, sums in float, atomic operations.
#include <cuda_fp16.h>

#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

constexpr int N = 1024, WARP = 32;

static_assert(sizeof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4);
static_assert(std::is_trivially_copyable<half>::value && std::is_trivially_default_constructible<half2>::value);

// y = a x + y, two at a time.
__global__ void saxpy(int n, half a, const half* __restrict__ x, half* __restrict__ y) {
  const half2 a2 = __half2half2(a);
  const half2* x2 = reinterpret_cast<const half2*>(x);
  half2* y2 = reinterpret_cast<half2*>(y);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += gridDim.x * blockDim.x) {
    y2[i] = __hfma2(a2, __ldg(x2 + i), y2[i]);
  }
  if (n % 2 == 1 && blockIdx.x == 0 && threadIdx.x == 0) y[n - 1] = a * x[n - 1] + y[n - 1];
}

// Eight numbers in one load, their products added in float.
__global__ void dot(int n, const half* x, const half* y, float* result) {
  __shared__ float part[WARP];
  float sum = 0;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8; i < n; i += gridDim.x * blockDim.x * 8) {
    const uint4 a = *reinterpret_cast<const uint4*>(x + i), b = *reinterpret_cast<const uint4*>(y + i);
    const half2 *p = reinterpret_cast<const half2*>(&a), *q = reinterpret_cast<const half2*>(&b);
    for (int k = 0; k < 4; k++) {
      const float2 u = __half22float2(p[k]), v = __half22float2(q[k]);
      sum += u.x * v.x + u.y * v.y;
    }
  }
  for (int d = WARP / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % WARP == 0) part[threadIdx.x / WARP] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / WARP; w++) sum += part[w];
    atomicAdd(result, sum);
  }
}

__device__ half atomic_max(half* at, half v) {
  unsigned short* bits = reinterpret_cast<unsigned short*>(at);
  unsigned short old = *reinterpret_cast<volatile unsigned short*>(bits), seen;
  do {
    seen = old;
    if (__hge(__ushort_as_half(seen), v)) break;
    old = atomicCAS(bits, seen, __half_as_ushort(v));
  } while (old != seen);
  return __ushort_as_half(old);
}

struct Totals {
  half2 pair;
  half one, most;
};

__global__ void totals(const half* x, Totals* t) {
  const half v = x[blockIdx.x * blockDim.x + threadIdx.x];
  half sum = v;
  for (int d = 1; d < WARP; d *= 2) sum = __hadd(sum, __shfl_xor_sync(0xffffffff, sum, d));
  half2 both = __halves2half2(sum, __hneg(sum));
  both = __shfl_sync(0xffffffff, both, 0);
  if (threadIdx.x % WARP == 0) {
    atomicAdd(&t->pair, both);
    atomicAdd(&t->one, sum);
  }
  atomic_max(&t->most, v);
}

// Rows become columns, by way of shared memory.
template <class T, int Side>
__global__ void transpose(const T* in, T* out) {
  __shared__ T tile[Side][Side + 1];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * Side + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * Side + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__constant__ half slopes[2];

__global__ void activate(int n, half2* x, half* sums) {
  const int i = threadIdx.x;
  half2 v = x[i];
  v = __hmul2(v, __halves2half2(slopes[0], slopes[1]));
  const half2 zero = __float2half2_rn(0.0f);
  const half2 positive = __hmax2(v, zero), small = h2exp(__hneg2(__habs2(v)));
  x[i] = __hfma2(small, zero, __hgt2(positive, zero));
  half h = __low2half(positive) > CUDART_ZERO_FP16 ? hsqrt(positive.x) : hrcp(half(4));
  h += hfloor(__float2half(1.75f)) + htrunc(half(-1.5f)) + hceil(half(0.25)) - half(1);
  if (__hisnan(h) || __hisinf(h) || !(h == h) || h < half(-1.0)) h = half(100);
  sums[i] = h;
}

int main() {
  std::vector<half> x(N), y(N), back(N);
  for (int i = 0; i < N; i++) {
    x[i] = __float2half((float)(i % 16) / 4);
    y[i] = half(i % 8);
  }
  half *dx, *dy;
  float *dr, r = 0;
  cudaMalloc(&dx, N * sizeof(half));
  cudaMalloc(&dy, N * sizeof(half));
  cudaMalloc(&dr, sizeof r);
  cudaMemcpy(dx, x.data(), N * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), N * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemset(dr, 0, sizeof r);
  int wrong = 0;

  saxpy<<<2, 128>>>(N - 1, half(2), dx, dy);
  cudaMemcpy(back.data(), dy, N * sizeof(half), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N - 1; i++) wrong += (float)back[i] != 2 * (float)(i % 16) / 4 + i % 8;

  dot<<<2, 64>>>(N, dx, dx, dr);
  cudaMemcpy(&r, dr, sizeof r, cudaMemcpyDeviceToHost);
  float wanted = 0;
  for (int i = 0; i < N; i++) wanted += __half2float(x[i]) * __half2float(x[i]);
  wrong += r != wanted;

  Totals t{{half(0), half(0)}, half(0), half(-1)}, *dt;
  cudaMalloc(&dt, sizeof t);
  cudaMemcpy(dt, &t, sizeof t, cudaMemcpyHostToDevice);
  totals<<<4, 64>>>(dx, dt);
  cudaMemcpy(&t, dt, sizeof t, cudaMemcpyDeviceToHost);

  transpose<half, 16><<<1, dim3(16, 16)>>>(dx, dy);
  cudaMemcpy(back.data(), dy, 256 * sizeof(half), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i++) wrong += back[i] != x[i % 16 * 16 + i / 16];

  const half both[2] = {half(1), half(-1)};
  cudaMemcpyToSymbol(slopes, both, sizeof both);
  activate<<<1, 32>>>(32, reinterpret_cast<half2*>(dx), dy);
  cudaMemcpy(back.data(), dx, N * sizeof(half), cudaMemcpyDeviceToHost);
  cudaMemcpy(y.data(), dy, 32 * sizeof(half), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) wrong += back[i] != half(i % 2 == 0 && i % 16 != 0 ? 1 : 0);
  float roots = 0;
  for (int i = 0; i < 32; i++) roots += __half2float(y[i]);

  half h = 3;
  h *= half(0.5);
  h -= half(1);
  unsigned short bits;
  std::memcpy(&bits, &h, sizeof bits);
  printf("%d wrong, dot %g, totals %g %g %g most %g, roots %.3f, half %04x %d\n", wrong, r, __low2float(t.pair),
         __high2float(t.pair), (float)t.one, (float)t.most, roots, bits, (int)++h);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dr);
  cudaFree(dt);
  return wrong != 0;
}
