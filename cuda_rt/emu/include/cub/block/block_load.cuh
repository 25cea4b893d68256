// cub::BlockLoad and BlockStore: N items of each thread, one behind the other or a block's width apart.
#pragma once
#include "../../irgl_emu/together.h"
#include "../util_device.cuh"

namespace cub {

template <int N, class T, class From>
IRGL_EMU_MEMBER void LoadDirectBlocked(int thread, From from, T (&items)[N]) {
  for (int i = 0; i < N; i++) items[i] = from[thread * N + i];
}
template <int N, class T, class From>
IRGL_EMU_MEMBER void LoadDirectBlocked(int thread, From from, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++) {
    if (thread * N + i < valid) items[i] = from[thread * N + i];
  }
}
template <int N, class T, class Default, class From>
IRGL_EMU_MEMBER void LoadDirectBlocked(int thread, From from, T (&items)[N], int valid, Default other) {
  for (int i = 0; i < N; i++) items[i] = thread * N + i < valid ? static_cast<T>(from[thread * N + i]) : T(other);
}
template <int Threads, int N, class T, class From>
IRGL_EMU_MEMBER void LoadDirectStriped(int thread, From from, T (&items)[N]) {
  for (int i = 0; i < N; i++) items[i] = from[thread + i * Threads];
}
template <int Threads, int N, class T, class From>
IRGL_EMU_MEMBER void LoadDirectStriped(int thread, From from, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++) {
    if (thread + i * Threads < valid) items[i] = from[thread + i * Threads];
  }
}
template <int Threads, int N, class T, class Default, class From>
IRGL_EMU_MEMBER void LoadDirectStriped(int thread, From from, T (&items)[N], int valid, Default other) {
  for (int i = 0; i < N; i++) {
    items[i] = thread + i * Threads < valid ? static_cast<T>(from[thread + i * Threads]) : T(other);
  }
}
template <int N, class T, class To>
IRGL_EMU_MEMBER void StoreDirectBlocked(int thread, To to, T (&items)[N]) {
  for (int i = 0; i < N; i++) to[thread * N + i] = items[i];
}
template <int N, class T, class To>
IRGL_EMU_MEMBER void StoreDirectBlocked(int thread, To to, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++) {
    if (thread * N + i < valid) to[thread * N + i] = items[i];
  }
}
template <int Threads, int N, class T, class To>
IRGL_EMU_MEMBER void StoreDirectStriped(int thread, To to, T (&items)[N]) {
  for (int i = 0; i < N; i++) to[thread + i * Threads] = items[i];
}
template <int Threads, int N, class T, class To>
IRGL_EMU_MEMBER void StoreDirectStriped(int thread, To to, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++) {
    if (thread + i * Threads < valid) to[thread + i * Threads] = items[i];
  }
}

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
 public:
  struct TempStorage {
    unsigned char unused;
  };
  IRGL_EMU_MEMBER BlockLoad() {}
  IRGL_EMU_MEMBER explicit BlockLoad(TempStorage&) {}

  template <class From, class... Valid>
  IRGL_EMU_MEMBER void Load(From from, T (&items)[N], Valid... valid) {
    if constexpr (A == BLOCK_LOAD_STRIPED) {
      LoadDirectStriped<X * Y * Z>(block.rank, from, items, valid...);
    } else {
      LoadDirectBlocked(block.rank, from, items, valid...);
    }
    if constexpr (A == BLOCK_LOAD_TRANSPOSE) __syncthreads();
  }

 private:
  irgl_emu::Threads<X, Y, Z> block;
};

template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
 public:
  struct TempStorage {
    unsigned char unused;
  };
  IRGL_EMU_MEMBER BlockStore() {}
  IRGL_EMU_MEMBER explicit BlockStore(TempStorage&) {}

  template <class To, class... Valid>
  IRGL_EMU_MEMBER void Store(To to, T (&items)[N], Valid... valid) {
    if constexpr (A == BLOCK_STORE_TRANSPOSE) __syncthreads();
    if constexpr (A == BLOCK_STORE_STRIPED) {
      StoreDirectStriped<X * Y * Z>(block.rank, to, items, valid...);
    } else {
      StoreDirectBlocked(block.rank, to, items, valid...);
    }
  }

 private:
  irgl_emu::Threads<X, Y, Z> block;
};

}  // namespace cub
