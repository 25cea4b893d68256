// Groups, intrinsics, conversions and mathematics: each thread holds what it gets to what it should be.
#include <cuComplex.h>
#include <math_constants.h>
#include <vector_functions.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int wrong[64], wrongs;

__device__ void hold(bool is_right, int line) {
  if (is_right) return;
  const int at = atomicAdd(&wrongs, 1);
  if (at < 64) wrong[at] = line;
}
#define HOLD(what) hold(what, __LINE__)
#define NEAR(what, value) hold(fabs((double)(what) / (value) - 1) < (sizeof(what) == 4 ? 3e-7 : 1e-14), __LINE__)

struct Pair {
  int a, b;
};
__device__ cuda::atomic<int, cuda::thread_scope_device> highest{3};

__global__ void atomics() {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> n;
  __shared__ cuda::atomic<Pair, cuda::thread_scope_block> both;
  __shared__ cuda::std::atomic<unsigned> flag;
  if (threadIdx.x == 0) {
    n = 0;
    both.store({1, 2});
    flag.store(0);
  }
  __syncthreads();
  n++;
  n += 2;
  highest.fetch_max((int)threadIdx.x);
  __syncthreads();
  HOLD(n == 3 * 64 && highest.load() == 63 && both.load().b == 2);
  if (threadIdx.x == 0) {
    flag.store(1, cuda::std::memory_order_release);
    flag.notify_all();
  }
  flag.wait(0);
}

// A group of any kind.
__device__ int sum(cg::thread_group g, int* part, int v) {
  const int rank = g.thread_rank();
  for (int n = g.size() / 2; n > 0; n /= 2) {
    part[rank] = v;
    g.sync();
    if (rank < n) v += part[rank + n];
    g.sync();
  }
  return v;
}

__global__ void groups(cuda::atomic<int, cuda::thread_scope_device>* total, int* once) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  cg::thread_block b = cg::this_thread_block();
  const int all = sum(b, part, t);
  if (t == 0) HOLD(all == 64 * 63 / 2);
  cg::thread_group tile = cg::tiled_partition(b, 16);
  HOLD(tile.size() == 16 && (int)tile.thread_rank() == t % 16);
  const int some = sum(tile, part + t / 16 * 16, 1);
  if (tile.thread_rank() == 0) HOLD(some == 16);
  cg::thread_block::sync();
  auto warp = cg::tiled_partition<32>(b);
  HOLD(cg::inclusive_scan(warp, 2) == 2 * (t % 32 + 1));
  HOLD(cg::exclusive_scan(warp, t % 32) == (t % 32) * (t % 32 - 1) / 2);
  HOLD(cg::inclusive_scan(warp, (t % 32) ^ 5, cg::greater<int>()) >= (t % 32 | 5) - 5);
  HOLD(cg::reduce(warp, t, cg::less<int>()) == t / 32 * 32);
  if (t % 2 == 0) {
    auto even = cg::coalesced_threads();
    auto four = cg::tiled_partition(even, 4);
    HOLD(four.size() == 4 && (int)four.thread_rank() == t / 2 % 4);
  }
  __syncwarp();
  cg::invoke_one(b, [&] { atomicAdd(once, 1); });
  HOLD(cg::invoke_one_broadcast(warp, [&] { return (int)warp.meta_group_rank(); }) == t / 32);
  total->fetch_add(t, cuda::memory_order_relaxed);
  int seen = total->load(cuda::std::memory_order_acquire);
  while (!total->compare_exchange_weak(seen, seen + 1)) {
  }
}

__global__ void numbers(float nan) {
  const float inf = CUDART_INF_F, third = 1.0f / 3;
  const float x = threadIdx.x * 0.25f + 0.1f;
  // Whole numbers: to the side that the name says, and no further than the type goes.
  HOLD(__double2int_rn(2.5) == 2 && __double2int_ru(2.1) == 3 && __double2int_rd(-2.1) == -3);
  HOLD(__float2uint_rn(1.5f) == 2 && __float2uint_rz(-1) == 0 && __float2uint_rz(inf) == 0xffffffffu);
  HOLD(__float2int_rz(3e9f) == 2147483647 && __float2int_rz(-3e9f) == -2147483647 - 1 && __float2int_rn(nan) == 0);
  HOLD(__float2ll_rn(3.7f) == 4 && __float2ll_rz(1e30f) == 0x7fffffffffffffffll);
  HOLD(__float2ull_rz(-1) == 0 && __double2ull_rz(1e30) == 0xffffffffffffffffull && __double2ull_rz(3) == 3);
  HOLD(__double2uint_rz(4294967295.9) == 4294967295u && __double2ll_rd(-0.5) == -1 && __double2uint_rz(5e9) == ~0u);
  HOLD((unsigned long long)__double2ll_rz(nan) == 0x8000000000000000ull && __double2int_rz(nan) == -2147483647 - 1);
  HOLD(__double2hiint(1.0) == 0x3ff00000 && __double2loint(1.0) == 0 && __hiloint2double(0x3ff80000, 0) == 1.5);
  // Numbers that are none of the type's: 2^24 + 1 lies between two floats.
  HOLD(__int2float_rz(16777217) == 16777216 && __int2float_ru(16777217) == 16777218);
  HOLD(__uint2float_rd(4294967295u) == 4294967040.0f && __ll2float_ru(16777217) == 16777218);
  HOLD(__ull2float_rz(~0ull) == 18446742974197923840.0f && __ull2double_rz(~0ull) == 18446744073709549568.0);
  HOLD(__ll2double_ru((1ll << 53) + 1) == 9007199254740994.0 && __uint2double_rn(3) == 3);
  HOLD(__double2float_ru(0.1) > 0.1 && __double2float_rd(0.1) < 0.1 && __double2float_rz(-0.1) > -0.1);
  HOLD(__double2float_rn(0.1) == 0.1f);
  // Arithmetic.
  HOLD(__fadd_ru(1, 1e-10f) > 1 && __fadd_rd(1, 1e-10f) == 1 && __fadd_rz(1, -1e-10f) < 1 && __fadd_rn(x, x) == 2 * x);
  HOLD(__fmul_ru(third, third) > __fmul_rd(third, third) && __fsub_rd(1, 1e-10f) < 1 && __dadd_ru(1, 1e-20) > 1);
  HOLD(__fdiv_ru(1, 3) > __fdiv_rd(1, 3) && __frcp_ru(3) == __fdiv_ru(1, 3) && __drcp_rn(4) == 0.25);
  HOLD(__fsqrt_ru(2) > __fsqrt_rd(2) && __dsqrt_ru(2) > __dsqrt_rz(2) && __fsqrt_rn(2) == sqrtf(2));
  HOLD(__fmaf_ru(third, 3, 0) >= 1 && __fma_rd(1.0 / 3, 3, 0) < 1 && __dmul_rz(0.1, 10) <= 1 && __dsub_ru(1, 0) == 1);
  HOLD(__ddiv_ru(1, 3) > __ddiv_rd(1, 3) && __frsqrt_rn(4) == 0.5f);
  // Mathematics.
  NEAR(sinpi(0.25), CUDART_SQRT_HALF);
  NEAR(cospif(x), (float)cos(CUDART_PI * x));
  HOLD(sinpi(3.0) == 0 && cospi(0.5) == 0 && cospi(1e9) == 1);
  double s, c;
  sincospi(1.0 / 6, &s, &c);
  NEAR(s, 0.5);
  NEAR(c, 0.86602540378443865);
  NEAR(rcbrt(8.0), 0.5);
  NEAR(rhypotf(3, 4), 0.2f);
  NEAR(norm3d(1.0, 2.0, 2.0), 3.0);
  NEAR(norm4df(1, 1, 1, 1), 2.0f);
  NEAR(rnorm3d(1.0, 2.0, 2.0), 1 / 3.0);
  const float p[] = {2, 3, 6};
  NEAR(normf(3, p), 7.0f);
  NEAR(erf(erfinv(0.3)), 0.3);
  NEAR(erfcinv(1e-200), 21.374783049026256);
  NEAR(erfinv(0.999), 2.3267537655135246);
  NEAR(erfcxf(x), (float)(exp((double)x * x) * erfc((double)x)));
  NEAR(normcdf(-1.0), 0.15865525393145705);
  NEAR(normcdfinv(0.975), 1.9599639845400542);
  NEAR(normcdff(normcdfinvf(0.2f)), 0.2f);
  HOLD(erfinv(1.0) == CUDART_INF && isnan(erfcinv(-1.0)) && fdividef(1, 4) == 0.25f);
  HOLD(umin(1, 2) == 1 && llmax(-1, 1) == 1 && ullmin(~0ull, 3) == 3);
  NEAR(cuCabsf(cuCmulf(make_cuFloatComplex(3, 4), make_cuFloatComplex(0, 2))), 10.0f);
  HOLD(cuCreal(cuCdiv(make_cuDoubleComplex(5, 5), make_cuDoubleComplex(1, 2))) == 3);
}

__global__ void fields(int* p) {
  __shared__ int mine;
  HOLD(__vadd4(0x01ff7f80, 0x01010101) == 0x02008081 && __vsub2(0x00010000, 0x00020001) == 0xffffffff);
  HOLD(__vaddus4(0xff010203, 0x01010101) == 0xff020304 && __vaddss4(0x7f800000, 0x01ff0000) == 0x7f800000);
  HOLD(__vsubus4(0x01020304, 0x02010101) == 0x00010203 && __vsubss2(0x80000001, 0x00010001) == 0x80000000);
  HOLD(__vabsdiffu4(0x01030507, 0x03010705) == 0x02020202 && __vsadu4(0x01030507, 0x03010705) == 8);
  HOLD(__vcmpeq4(0x01020304, 0x01000300) == 0xff00ff00);
  HOLD(__vcmpgts2(0x0001ffff, 0x00000000) == 0xffff0000 && __vcmpgtu2(0x0001ffff, 0) == 0xffffffff);
  HOLD(__vmaxs4(0x7f80ff00, 0) == 0x7f000000 && __vminu4(0x01ff02fe, 0x02fe01ff) == 0x01fe01fe);
  HOLD(__vabs4(0xff01fe02) == 0x01010202 && __vneg2(0x00010002) == 0xfffffffe && __vavgu4(1, 2) == 2);
  HOLD(__vhaddu4(1, 2) == 1 && __vseteq4(1, 1) == 0x01010101 && __vavgs2(0x0003, 0) == 2);
  HOLD(__hadd(1, 2) == 1 && __rhadd(1, 2) == 2 && __hadd(-3, 0) == -2);
  HOLD(__uhadd(~0u, ~0u) == ~0u && __urhadd(1, 2) == 2);
  HOLD(__funnelshift_lc(1, 2, 33) == 1 && __funnelshift_rc(1, 2, 40) == 2 && __funnelshift_lc(0x80000000, 2, 1) == 5);
  HOLD(__fns(0x50, 0, 2) == 6 && __fns(0x50, 31, -1) == 6 && __fns(0x50, 4, 0) == 4 && __fns(1, 1, 1) == ~0u);
  HOLD(__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp4a((int)0xff000000, 0x02000000, 0) == -2);
  HOLD(__dp2a_lo(0x00020001, 0x00000403, 1) == 12 && __dp2a_hi(0x00020001, 0x04030000, 1) == 12);
  int local = 0;
  HOLD(__isGlobal(p) && __isShared(&mine) && __isLocal(&local) && !__isShared(p) && !__isGlobal(&mine));
  __builtin_assume(local == 0);
  const uint4 v = make_uint4(1, 2, 3, 4);
  HOLD(clock() <= clock() && v.w == 4);
}

int main() {
  cuda::atomic<int, cuda::thread_scope_device>* total;
  int *once, sums[2], lines[64], n = 0;
  cudaMalloc(&total, 4);
  cudaMalloc(&once, 4);
  cudaMemset(total, 0, 4);
  cudaMemset(once, 0, 4);
  atomics<<<1, 64>>>();
  groups<<<1, 64>>>(total, once);
  numbers<<<1, 32>>>(nanf(""));
  fields<<<1, 1>>>(once);
  cudaMemcpy(&sums[0], total, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sums[1], once, 4, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&n, wrongs, sizeof n);
  cudaMemcpyFromSymbol(lines, wrong, sizeof lines);
  for (int i = 0; i < n && i < 64; i++) printf("line %d\n", lines[i]);
  printf("%d %d, %d wrong\n", sums[0], sums[1], n);
  cudaFree(total);
  cudaFree(once);
  return n != 0;
}
