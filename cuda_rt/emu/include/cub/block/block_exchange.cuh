// cub::BlockExchange and BlockShuffle: items that change their threads, through shared memory.
#pragma once
#include "../../irgl_emu/together.h"
#include "../util_device.cuh"

namespace cub {

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange {
  using Block = irgl_emu::Threads<X, Y, Z>;

 public:
  struct TempStorage {
    irgl_emu::Room<T, Block::count * N> items;
  };
  IRGL_EMU_MEMBER BlockExchange() : room(own()) {}
  IRGL_EMU_MEMBER explicit BlockExchange(TempStorage& storage) : room(storage) {}

  template <class Out>
  IRGL_EMU_MEMBER void StripedToBlocked(const T (&input)[N], Out (&output)[N]) {
    move(input, output, [this](int i) { return striped(i); }, [this](int i) { return blocked(i); });
  }
  template <class Out>
  IRGL_EMU_MEMBER void BlockedToStriped(const T (&input)[N], Out (&output)[N]) {
    move(input, output, [this](int i) { return blocked(i); }, [this](int i) { return striped(i); });
  }
  template <class Out>
  IRGL_EMU_MEMBER void WarpStripedToBlocked(const T (&input)[N], Out (&output)[N]) {
    move(input, output, [this](int i) { return warp_striped(i); }, [this](int i) { return blocked(i); });
  }
  template <class Out>
  IRGL_EMU_MEMBER void BlockedToWarpStriped(const T (&input)[N], Out (&output)[N]) {
    move(input, output, [this](int i) { return blocked(i); }, [this](int i) { return warp_striped(i); });
  }
  template <class Out, class Rank>
  IRGL_EMU_MEMBER void ScatterToBlocked(const T (&input)[N], Out (&output)[N], Rank (&ranks)[N]) {
    move(input, output, [&](int i) { return int(ranks[i]); }, [this](int i) { return blocked(i); });
  }
  template <class Out, class Rank>
  IRGL_EMU_MEMBER void ScatterToStriped(const T (&input)[N], Out (&output)[N], Rank (&ranks)[N]) {
    move(input, output, [&](int i) { return int(ranks[i]); }, [this](int i) { return striped(i); });
  }

 private:
  Block block;
  TempStorage& room;

  IRGL_EMU_MEMBER static TempStorage& own() {
    static thread_local TempStorage storage;
    return storage;
  }
  IRGL_EMU_MEMBER int blocked(int i) const { return block.rank * N + i; }
  IRGL_EMU_MEMBER int striped(int i) const { return block.rank + i * Block::count; }
  IRGL_EMU_MEMBER int warp_striped(int i) const { return block.rank / 32 * 32 * N + i * 32 + block.rank % 32; }
  template <class Out, class From, class To>
  IRGL_EMU_MEMBER void move(const T (&input)[N], Out (&output)[N], From from, To to) {
    for (int i = 0; i < N; i++) room.items[from(i)] = input[i];
    __syncthreads();
    for (int i = 0; i < N; i++) output[i] = room.items[to(i)];
  }
};

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockShuffle {
  using Block = irgl_emu::Threads<X, Y, Z>;

 public:
  struct TempStorage {
    irgl_emu::Room<T, Block::count> items;
  };
  IRGL_EMU_MEMBER BlockShuffle() : room(own()) {}
  IRGL_EMU_MEMBER explicit BlockShuffle(TempStorage& storage) : room(storage) {}

  IRGL_EMU_MEMBER void Offset(T input, T& output, int distance = 1) {
    lay(input);
    const int from = block.rank + distance;
    if (from >= 0 && from < Block::count) output = room.items[from];
  }
  IRGL_EMU_MEMBER void Rotate(T input, T& output, unsigned distance = 1) {
    lay(input);
    output = room.items[(block.rank + distance) % Block::count];
  }
  template <int N>
  IRGL_EMU_MEMBER void Up(T (&input)[N], T (&prev)[N]) {
    lay(input[N - 1]);
    for (int i = N - 1; i > 0; i--) prev[i] = input[i - 1];
    if (block.rank > 0) prev[0] = room.items[block.rank - 1];
  }
  template <int N>
  IRGL_EMU_MEMBER void Down(T (&input)[N], T (&next)[N]) {
    lay(input[0]);
    for (int i = 0; i + 1 < N; i++) next[i] = input[i + 1];
    if (block.rank + 1 < Block::count) next[N - 1] = room.items[block.rank + 1];
  }

 private:
  Block block;
  TempStorage& room;

  IRGL_EMU_MEMBER static TempStorage& own() {
    static thread_local TempStorage storage;
    return storage;
  }
  IRGL_EMU_MEMBER void lay(const T& input) {
    room.items[block.rank] = input;
    __syncthreads();
  }
};

}  // namespace cub
