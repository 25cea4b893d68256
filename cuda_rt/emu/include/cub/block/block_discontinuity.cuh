// cub::BlockDiscontinuity and BlockAdjacentDifference: what neighbouring items are to each other. The block's outermost
// items are compared with those that the caller names, or count as heads and tails.
#pragma once
#include "block_exchange.cuh"

namespace cub {

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockDiscontinuity {
  using Block = irgl_emu::Threads<X, Y, Z>;

 public:
  struct TempStorage {
    irgl_emu::Room<T, Block::count> first, last;
  };
  IRGL_EMU_MEMBER BlockDiscontinuity() : room(own()) {}
  IRGL_EMU_MEMBER explicit BlockDiscontinuity(TempStorage& storage) : room(storage) {}

  template <int N, class Flag, class Op, class... Before>
  IRGL_EMU_MEMBER void FlagHeads(Flag (&heads)[N], T (&input)[N], Op op, Before... before) {
    lay(input);
    mark_heads(heads, input, op, before...);
  }
  template <int N, class Flag, class Op, class... After>
  IRGL_EMU_MEMBER void FlagTails(Flag (&tails)[N], T (&input)[N], Op op, After... after) {
    lay(input);
    mark_tails(tails, input, op, after...);
  }
  template <int N, class Flag, class Op>
  IRGL_EMU_MEMBER void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T (&input)[N], Op op) {
    lay(input);
    mark_heads(heads, input, op);
    mark_tails(tails, input, op);
  }
  template <int N, class Flag, class Op>
  IRGL_EMU_MEMBER void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T after, T (&input)[N], Op op) {
    lay(input);
    mark_heads(heads, input, op);
    mark_tails(tails, input, op, after);
  }
  template <int N, class Flag, class Op>
  IRGL_EMU_MEMBER void FlagHeadsAndTails(Flag (&heads)[N], T before, Flag (&tails)[N], T after, T (&input)[N], Op op) {
    lay(input);
    mark_heads(heads, input, op, before);
    mark_tails(tails, input, op, after);
  }

 private:
  Block block;
  TempStorage& room;

  IRGL_EMU_MEMBER static TempStorage& own() {
    static thread_local TempStorage storage;
    return storage;
  }
  template <int N>
  IRGL_EMU_MEMBER void lay(T (&input)[N]) {
    room.first[block.rank] = input[0];
    room.last[block.rank] = input[N - 1];
    __syncthreads();
  }
  template <class Op>
  IRGL_EMU_MEMBER static auto differ(Op& op, const T& a, const T& b, int at, int) -> decltype(op(a, b, at)) {
    return op(a, b, at);
  }
  template <class Op>
  IRGL_EMU_MEMBER static auto differ(Op& op, const T& a, const T& b, int, long) -> decltype(op(a, b)) {
    return op(a, b);
  }
  template <int N, class Flag, class Op, class... Before>
  IRGL_EMU_MEMBER void mark_heads(Flag (&heads)[N], T (&input)[N], Op& op, const Before&... before) {
    for (int i = 0; i < N; i++) {
      const int at = block.rank * N + i;
      if (i > 0) {
        heads[i] = differ(op, input[i - 1], input[i], at, 0);
      } else if (block.rank > 0) {
        heads[i] = differ(op, room.last[block.rank - 1], input[i], at, 0);
      } else if constexpr (sizeof...(before) > 0) {
        heads[i] = (differ(op, before, input[i], at, 0), ...);
      } else {
        heads[i] = 1;
      }
    }
  }
  template <int N, class Flag, class Op, class... After>
  IRGL_EMU_MEMBER void mark_tails(Flag (&tails)[N], T (&input)[N], Op& op, const After&... after) {
    for (int i = 0; i < N; i++) {
      const int at = block.rank * N + i + 1;
      if (i + 1 < N) {
        tails[i] = differ(op, input[i], input[i + 1], at, 0);
      } else if (block.rank + 1 < Block::count) {
        tails[i] = differ(op, input[i], room.first[block.rank + 1], at, 0);
      } else if constexpr (sizeof...(after) > 0) {
        tails[i] = (differ(op, input[i], after, at, 0), ...);
      } else {
        tails[i] = 1;
      }
    }
  }
};

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockAdjacentDifference {
 public:
  using TempStorage = typename BlockShuffle<T, X, Y, Z>::TempStorage;
  IRGL_EMU_MEMBER BlockAdjacentDifference() {}
  IRGL_EMU_MEMBER explicit BlockAdjacentDifference(TempStorage& storage) : shuffle(storage) {}

  // Each item with the one before it, or with the one behind it; the outermost stays, or meets the one that is given.
  template <int N, class Out, class Op, class... Before>
  IRGL_EMU_MEMBER void SubtractLeft(T (&input)[N], Out (&output)[N], Op op, Before... before) {
    T left[N];
    shuffle.Up(input, left);
    for (int i = N - 1; i >= 0; i--) {
      const T item = input[i];
      if (i > 0 || irgl_emu::thread_number() > 0) {
        output[i] = op(item, left[i]);
      } else if constexpr (sizeof...(before) > 0) {
        output[i] = (op(item, before), ...);
      } else {
        output[i] = item;
      }
    }
  }
  template <int N, class Out, class Op, class... After>
  IRGL_EMU_MEMBER void SubtractRight(T (&input)[N], Out (&output)[N], Op op, After... after) {
    T right[N];
    shuffle.Down(input, right);
    for (int i = 0; i < N; i++) {
      const T item = input[i];
      if (i + 1 < N || irgl_emu::thread_number() + 1 < X * Y * Z) {
        output[i] = op(item, right[i]);
      } else if constexpr (sizeof...(after) > 0) {
        output[i] = (op(item, after), ...);
      } else {
        output[i] = item;
      }
    }
  }

 private:
  BlockShuffle<T, X, Y, Z> shuffle;
};

}  // namespace cub
