// What threads do together, against values known beforehand: shuffles, votes, matches, barriers, atomics, grid syncs,
// shared and local memory, calls, variables.
#include <cooperative_groups.h>

#include <cstdint>
#include <cstdio>

constexpr int lanes = 32;
__device__ int variable = 41;
__constant__ double constant[2] = {0.25, 4};
__device__ unsigned long long sums[8];

struct Pair {
  short a;
  double b;
  char c[3];
};
__noinline__ __device__ Pair swapped(Pair p, int by) {
  return {short(p.c[1]), p.b * by, {char(p.a), p.c[2], p.c[0]}};
}
__noinline__ __device__ long long power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

__global__ void warps(int* out) {
  const int t = threadIdx.x, lane = t % lanes;
  const unsigned full = ~0u;
  int* const mine = out + t * 20;
  mine[0] = __shfl_sync(full, t * 3, 5), mine[1] = __shfl_up_sync(full, t, 3), mine[2] = __shfl_down_sync(full, t, 3);
  mine[3] = __shfl_xor_sync(full, t, 9), mine[4] = __shfl_sync(full, t, 2, 8), mine[5] = __shfl_up_sync(full, t, 1, 4);
  mine[6] = __shfl_down_sync(full, t, 2, 16), mine[7] = __ballot_sync(full, lane % 3 == 0);
  mine[8] = __any_sync(full, lane == 7) * 4 + __all_sync(full, lane < 32) * 2 + __all_sync(full, lane < 31);
  mine[9] = __match_any_sync(full, lane / 10);
  int same;
  mine[10] = __match_all_sync(full, 5ull << 40, &same) + same, mine[11] = __match_all_sync(full, lane / 31,
      &same) + same;
  if (lane % 2 == 1) mine[12] = __shfl_sync(0xaaaaaaaa, t, 31);  // half of the warp
  else mine[12] = __ballot_sync(0x55555555, lane < 8);
  if (lane < 4) return;
  mine[13] = __ballot_sync(0xfffffff0, lane % 4 == 0);
  __syncwarp();
  mine[14] = int(__shfl_sync(0xfffffff0, (long long)t << 33, 6) >> 33);
}
__global__ void together(int* out) {
  const int t = threadIdx.x;
  out[t] += __syncthreads_count(t % 3 == 0) * 4 + (__syncthreads_and(t < 200) ? 2 : 0);
  out[t] += __syncthreads_or(t == 7) ? 1 : 0;
  out[t] += __syncthreads_and(t >= 0) ? 1000 : 0;
}
__global__ void blocks(long long* out) {
  __shared__ int row[256];
  extern __shared__ double more[];
  const int t = threadIdx.x;
  row[t] = t, more[t] = t * constant[0];
  __syncthreads();
  for (int by = 128; by > 0; by /= 2) {
    if (t < by) row[t] += row[t + by], more[t] += more[t + by];
    __syncthreads();
  }
  if (t == 0) atomicAdd(&sums[0], (unsigned long long)row[0]), atomicAdd(&sums[1],
      (unsigned long long)(more[0] * constant[1]));
  atomicMax(&sums[2], 1000ull * blockIdx.x + t), atomicXor(&sums[3], 1ull << t % 64), atomicAdd(&variable, 1);
  atomicAdd(reinterpret_cast<double*>(&sums[4]), 0.5);
  for (unsigned long long seen = sums[5], was; (was = atomicCAS(&sums[5], seen, seen + 3)) != seen;) seen = was;
  if (blockIdx.x == 0) {
    int local[16];
    for (int k = 0; k < 16; ++k) local[k] = (t * 7 + k * 5) % 16;
    for (int k = 0; k < 16; ++k) local[local[k] % 16] += k;
    const Pair p = swapped({short(t), 1.5, {'x', 'y', 'z'}}, t);
    out[t] = local[t % 16] + p.a * 1000 + (long long)(p.b * 1000000) + p.c[1] + power(3, t % 20);
  }
}
__global__ void grid(int* cells, int rounds) {  // each cell becomes the sum of its neighbours, round by round
  const auto all = cooperative_groups::this_grid();
  const int t = int(all.thread_rank()), n = int(all.size());
  for (int r = 0; r < rounds; ++r) {
    const int next = __ldcg(cells + (t + 1) % n) + __ldcg(cells + (t + n - 1) % n);
    all.sync();
    cells[t] = next % 1009;
    all.sync();
  }
}
__global__ void lock(unsigned* mutex, int* count) {  // lanes of a warp take turns
  for (bool done = false; !done;) {
    if (atomicCAS(mutex, 0u, 1u) == 0) {
      __threadfence();
      *const_cast<volatile int*>(count) += 1;
      __threadfence();
      atomicExch(mutex, 0u), done = true;
    }
  }
}
__global__ void say(const char* word) { if (threadIdx.x == 1) printf("%d %s %.2f %c %lld%%\n", -7, word,
    2.5, 'q', 1ll << 40); }

int wrong = 0;
void expect(const char* what, long long found, long long expected) {
  if (found != expected && ++wrong < 20) printf("%s: %lld instead of %lld\n", what, found, expected);
}
int main() {
  int* w;
  cudaMallocManaged(&w, 64 * 20 * sizeof(int));
  warps<<<1, 64>>>(w);
  cudaDeviceSynchronize();
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32, base = t - lane;
    const int* const m = w + t * 20;
    const unsigned groups[] = {0x3ff, 0xffc00, 0x3ff00000, 0xc0000000};
    expect("shfl", m[0], (base + 5) * 3), expect("up", m[1], lane < 3 ? t : t - 3), expect("down", m[2],
        lane > 28 ? t : t + 3);
    expect("xor", m[3], base + (lane ^ 9)), expect("shfl 8", m[4], t / 8 * 8 + 2), expect("up 4", m[5],
        t % 4 == 0 ? t : t - 1);
    expect("down 16", m[6], t % 16 > 13 ? t : t + 2), expect("ballot", unsigned(m[7]), 0x49249249);
    expect("any, all", m[8], 6), expect("match", unsigned(m[9]), groups[lane / 10]);
    expect("match all", m[10], 0), expect("match not all", m[11], 0);
    expect("half", m[12], lane % 2 == 1 ? base + 31 : 0x55);
    if (lane >= 4) expect("without ended lanes", m[13], 0x11111110), expect("wide", m[14], base + 6);
  }
  int* votes;
  cudaMallocManaged(&votes, 256 * sizeof *votes);
  for (int t = 0; t < 256; ++t) votes[t] = 0;
  together<<<1, 256>>>(votes);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t graphs;
  cudaStreamCreate(&stream), cudaGraphCreate(&graph, 0);
  cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
  for (int k = 0; k < 3; ++k) together<<<1, 256, 0, stream>>>(votes);
  cudaStreamEndCapture(stream, nullptr);
  cudaGraphInstantiate(&graphs, graph, 0);
  for (int k = 0; k < 2; ++k) cudaGraphLaunch(graphs, stream);
  cudaStreamSynchronize(stream);
  for (int t = 0; t < 256; ++t) expect("block's votes, also captured", votes[t], 7 * (86 * 4 + 1 + 1000));
  long long* found;
  cudaMallocManaged(&found, 256 * sizeof *found);
  blocks<<<20, 256, 256 * sizeof(double)>>>(found);
  cudaDeviceSynchronize();
  unsigned long long s[8];
  cudaMemcpyFromSymbol(s, sums, sizeof s);
  int v;
  cudaMemcpyFromSymbol(&v, variable, sizeof v);
  double halves;
  __builtin_memcpy(&halves, &s[4], 8);
  expect("sum", s[0], 20 * 32640), expect("more", s[1], 20 * 32640), expect("max", s[2], 19255), expect("xor", s[3], 0);
  expect("variable", v, 41 + 20 * 256), expect("double", halves * 2, 20 * 256), expect("cas", s[5], 3 * 20 * 256);
  for (int t = 0; t < 256; ++t) {
    int local[16];
    for (int k = 0; k < 16; ++k) local[k] = (t * 7 + k * 5) % 16;
    for (int k = 0; k < 16; ++k) local[local[k] % 16] += k;
    long long three = 1;
    for (int k = 0; k < t % 20; ++k) three *= 3;
    expect("calls", found[t], local[t % 16] + 'y' * 1000 + (long long)(1.5 * t * 1000000) + 'z' + three);
  }
  constexpr int cells = 4 * 64;
  int *c, expected[cells];
  cudaMallocManaged(&c, sizeof expected);
  for (int k = 0; k < cells; ++k) c[k] = expected[k] = k * k % 97;
  int rounds = 9;
  void* args[] = {&c, &rounds};
  expect("cooperative", cudaLaunchCooperativeKernel((void*)grid, dim3(4), dim3(64), args, 0, nullptr), 0);
  for (int r = 0; r < rounds; ++r) {
    int next[cells];
    for (int k = 0; k < cells; ++k) next[k] = (expected[(k + 1) % cells] + expected[(k + cells - 1) % cells]) % 1009;
    for (int k = 0; k < cells; ++k) expected[k] = next[k];
  }
  for (int k = 0; k < cells; ++k) expect("grid", c[k], expected[k]);
  expect("too large", cudaLaunchCooperativeKernel((void*)grid, dim3(400), dim3(64), args, 0, nullptr),
      cudaErrorCooperativeLaunchTooLarge);
  unsigned* mutex;
  cudaMallocManaged(&mutex, 8);
  mutex[0] = 0, mutex[1] = 0;
  lock<<<3, 96>>>(mutex, reinterpret_cast<int*>(mutex + 1));
  cudaDeviceSynchronize();
  expect("lock", mutex[1], 3 * 96);
  char* word;
  cudaMallocManaged(&word, 6);
  __builtin_memcpy(word, "hello", 6);
  say<<<1, 2>>>(word);
  cudaDeviceSynchronize();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
