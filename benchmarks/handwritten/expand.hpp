// Load-balanced work on the edges of a block's items, and pushes with one atomic per warp.
//
// Large nodes are taken by the whole block, middling ones by a warp, and the edges of the rest are dealt out one per
// thread through a scan (D. Merrill, M. Garland and A. Grimshaw, Scalable GPU graph traversal, PPoPP 2012).
#pragma once
#include <cooperative_groups.h>

#include "device.hpp"

namespace cg = cooperative_groups;

constexpr int THREADS = 256;
constexpr unsigned ALL_LANES = 0xffffffffu;

__device__ inline int lane_id() { return threadIdx.x % 32; }

template <class T>
__device__ T warp_sum(T x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(ALL_LANES, x, step);
  return x;
}

__device__ inline int warp_min(int x) {
  for (int step = 16; step > 0; step /= 2) x = min(x, __shfl_xor_sync(ALL_LANES, x, step));
  return x;
}

__device__ inline int warp_inclusive_scan(int x) {
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(ALL_LANES, x, step);
    if (lane_id() >= step) x += before;
  }
  return x;
}

// The sum of x over the threads before this one; `total` is that over the block. Called by all threads of the block,
// which meet at a barrier of their own between two calls.
__device__ inline int block_exclusive_scan(int x, int* total) {
  __shared__ int of_warp[THREADS / 32];
  const int warp = threadIdx.x / 32, inclusive = warp_inclusive_scan(x);
  if (lane_id() == 31) of_warp[warp] = inclusive;
  __syncthreads();
  int before = 0, sum = 0;
  for (int w = 0; w < THREADS / 32; ++w) {
    if (w < warp) before += of_warp[w];
    sum += of_warp[w];
  }
  *total = sum;
  return before + inclusive - x;
}

// Appends the items of those lanes of a whole warp that want it.
__device__ inline void push(bool wanted, int item, int* list, int* tail) {
  const unsigned who = __ballot_sync(ALL_LANES, wanted);
  if (who == 0) return;
  const int leader = __ffs(who) - 1;
  int base = 0;
  if (lane_id() == leader) base = atomicAdd(tail, __popc(who));
  base = __shfl_sync(ALL_LANES, base, leader);
  if (wanted) list[base + __popc(who & ((1u << lane_id()) - 1))] = item;
}

// Calls visit(edge, value, valid) for each edge in begin .. end of each thread of the block, with that thread's value.
// Whole warps call it together, so that it may hold warp collectives; lanes without an edge come with valid == false.
template <class Visit>
__device__ void expand_block(int begin, int end, int value, Visit visit) {
  __shared__ int owner, large_begin, large_end, large_value;
  __shared__ int edges[THREADS], values[THREADS];
  const int me = threadIdx.x;

  while (__syncthreads_or(end - begin >= THREADS)) {
    if (end - begin >= THREADS) atomicExch(&owner, me);
    __syncthreads();
    if (owner == me) {
      large_begin = begin;
      large_end = end;
      large_value = value;
      begin = end;
    }
    __syncthreads();
    for (int first = large_begin; first < large_end; first += THREADS) {
      visit(first + me, large_value, first + me < large_end);
    }
  }

  unsigned middling = __ballot_sync(ALL_LANES, end - begin >= 32);
  for (; middling != 0; middling &= middling - 1) {
    const int from = __ffs(middling) - 1;
    const int first_edge = __shfl_sync(ALL_LANES, begin, from), last_edge = __shfl_sync(ALL_LANES, end, from);
    const int its_value = __shfl_sync(ALL_LANES, value, from);
    for (int first = first_edge; first < last_edge; first += 32) {
      visit(first + lane_id(), its_value, first + lane_id() < last_edge);
    }
  }
  if (end - begin >= 32) begin = end;

  int total;
  int at = block_exclusive_scan(end - begin, &total);
  for (int done = 0; done < total; done += THREADS) {
    for (; begin < end && at < done + THREADS; ++begin, ++at) {
      edges[at - done] = begin;
      values[at - done] = value;
    }
    __syncthreads();
    const bool valid = done + me < total;
    visit(valid ? edges[me] : 0, valid ? values[me] : 0, valid);
    __syncthreads();
  }
}
