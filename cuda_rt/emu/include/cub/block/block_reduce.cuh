// cub::BlockReduce: the first thread has the result. Warps by shuffles, then their sums through shared memory: whoever
// uses the storage again without a barrier between races here as on a GPU.
#pragma once
#include "../../irgl_emu/together.h"
#include "../util_device.cuh"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
  using Block = irgl_emu::Threads<X, Y, Z>;

 public:
  struct TempStorage {
    irgl_emu::Room<T, Block::warps> sums;
  };
  IRGL_EMU_MEMBER BlockReduce() : room(own()) {}
  IRGL_EMU_MEMBER explicit BlockReduce(TempStorage& storage) : room(storage) {}

  template <class Op>
  IRGL_EMU_MEMBER T Reduce(T input, Op op) {
    return of(input, op, Block::count);
  }
  template <class Op>
  IRGL_EMU_MEMBER T Reduce(T input, Op op, int num_valid) {
    return of(input, op, num_valid);
  }
  template <int N, class Op>
  IRGL_EMU_MEMBER T Reduce(T (&inputs)[N], Op op) {
    T sum = inputs[0];
    for (int i = 1; i < N; i++) sum = op(sum, inputs[i]);
    return of(sum, op, Block::count);
  }

  IRGL_EMU_MEMBER T Sum(T input) { return Reduce(input, irgl_emu::Add()); }
  IRGL_EMU_MEMBER T Sum(T input, int num_valid) { return Reduce(input, irgl_emu::Add(), num_valid); }
  template <int N>
  IRGL_EMU_MEMBER T Sum(T (&inputs)[N]) {
    return Reduce(inputs, irgl_emu::Add());
  }

 private:
  Block block;
  irgl_emu::Lanes<32> lanes;
  TempStorage& room;

  IRGL_EMU_MEMBER static TempStorage& own() {
    static thread_local TempStorage storage;
    return storage;
  }
  template <class Op>
  IRGL_EMU_MEMBER T of(T input, Op op, int valid) {
    const int warp = block.rank / 32;
    T sum = lanes.reduce(input, op, valid - 1 - warp * 32);
    if (lanes.rank == 0) room.sums[warp] = sum;
    __syncthreads();
    if (block.rank == 0) {
      for (int k = 1; k < Block::warps && k * 32 < valid; k++) sum = op(sum, room.sums[k]);
    }
    return sum;
  }
};

}  // namespace cub
