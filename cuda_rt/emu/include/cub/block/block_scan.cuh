// cub::BlockScan. Warps by shuffles, then their sums through shared memory: whoever uses the storage again without a
// barrier between races here as on a GPU.
#pragma once
#include "../../irgl_emu/together.h"
#include "../util_device.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
  using Block = irgl_emu::Threads<X, Y, Z>;
  using Add = irgl_emu::Add;
  template <class Prefix>
  using Gives = decltype(static_cast<T>((*(Prefix*)0)(*(T*)0)));

 public:
  struct TempStorage {
    irgl_emu::Room<T, Block::warps> sums;
    irgl_emu::Room<T, 1> prefix;
  };
  IRGL_EMU_MEMBER BlockScan() : room(own()) {}
  IRGL_EMU_MEMBER explicit BlockScan(TempStorage& storage) : room(storage) {}

  // One item of each thread: what ends in `prefix` is a function of the block's sum, which the first warp calls; the
  // first thread's answer comes before all items.
  template <class Op>
  IRGL_EMU_MEMBER void InclusiveScan(T input, T& output, Op op) {
    output = scanned(input, op).with(input, op);
  }
  template <class Op>
  IRGL_EMU_MEMBER void InclusiveScan(T input, T& output, Op op, T& block_aggregate) {
    const Before b = scanned(input, op);
    output = b.with(input, op);
    block_aggregate = b.sum;
  }
  template <class Op, class Prefix, class = Gives<Prefix>>
  IRGL_EMU_MEMBER void InclusiveScan(T input, T& output, Op op, Prefix& prefix) {
    output = prefixed(scanned(input, op), prefix, op).with(input, op);
  }
  template <class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, T initial_value, Op op) {
    output = scanned(input, op).after(initial_value, op);
  }
  template <class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, T initial_value, Op op, T& block_aggregate) {
    const Before b = scanned(input, op);
    output = b.after(initial_value, op);
    block_aggregate = b.sum;
  }
  // Without an initial value the first thread's output means nothing: it stays as it is.
  template <class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, Op op) {
    const Before b = scanned(input, op);
    if (b.any) output = b.value;
  }
  template <class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, Op op, T& block_aggregate) {
    const Before b = scanned(input, op);
    if (b.any) output = b.value;
    block_aggregate = b.sum;
  }
  template <class Op, class Prefix, class = Gives<Prefix>>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, Op op, Prefix& prefix) {
    output = prefixed(scanned(input, op), prefix, op).value;
  }

  // N items of each thread, one behind the other.
  template <int N, class Op, class... More>
  IRGL_EMU_MEMBER void InclusiveScan(T (&input)[N], T (&output)[N], Op op, More&... more) {
    const Before b = told(scanned(total(input, op), op), op, more...);
    T all = b.with(input[0], op);
    output[0] = all;
    for (int i = 1; i < N; i++) output[i] = all = op(all, input[i]);
  }
  template <int N, class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T (&input)[N], T (&output)[N], T initial_value, Op op) {
    items(input, output, scanned(total(input, op), op).after(initial_value, op), op);
  }
  template <int N, class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T (&input)[N], T (&output)[N], T initial_value, Op op, T& block_aggregate) {
    const Before b = scanned(total(input, op), op);
    items(input, output, b.after(initial_value, op), op);
    block_aggregate = b.sum;
  }
  template <int N, class Op, class... More>
  IRGL_EMU_MEMBER void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, More&... more) {
    const Before b = told(scanned(total(input, op), op), op, more...);
    if (b.any) return items(input, output, b.value, op);
    T before = input[0];
    for (int i = 1; i < N; i++) {
      const T item = input[i];
      output[i] = before;
      before = op(before, item);
    }
  }

  IRGL_EMU_MEMBER void InclusiveSum(T input, T& output) { InclusiveScan(input, output, Add()); }
  template <class More>
  IRGL_EMU_MEMBER void InclusiveSum(T input, T& output, More& more) {
    InclusiveScan(input, output, Add(), more);
  }
  template <int N, class... More>
  IRGL_EMU_MEMBER void InclusiveSum(T (&input)[N], T (&output)[N], More&... more) {
    InclusiveScan(input, output, Add(), more...);
  }
  IRGL_EMU_MEMBER void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, Add()); }
  IRGL_EMU_MEMBER void ExclusiveSum(T input, T& output, T& block_aggregate) {
    ExclusiveScan(input, output, T{}, Add(), block_aggregate);
  }
  template <class Prefix, class = Gives<Prefix>>
  IRGL_EMU_MEMBER void ExclusiveSum(T input, T& output, Prefix& prefix) {
    ExclusiveScan(input, output, Add(), prefix);
  }
  template <int N>
  IRGL_EMU_MEMBER void ExclusiveSum(T (&input)[N], T (&output)[N]) {
    ExclusiveScan(input, output, T{}, Add());
  }
  template <int N>
  IRGL_EMU_MEMBER void ExclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate) {
    ExclusiveScan(input, output, T{}, Add(), block_aggregate);
  }
  template <int N, class Prefix, class = Gives<Prefix>>
  IRGL_EMU_MEMBER void ExclusiveSum(T (&input)[N], T (&output)[N], Prefix& prefix) {
    ExclusiveScan(input, output, Add(), prefix);
  }

 private:
  struct Before {  // all items before the thread's, if there are any; the block's sum
    T value, sum;
    bool any;

    template <class Op>
    IRGL_EMU_MEMBER T with(const T& item, Op& op) const {
      return any ? op(value, item) : item;
    }
    template <class Op>
    IRGL_EMU_MEMBER T after(const T& initial, Op& op) const {
      return any ? op(initial, value) : initial;
    }
  };
  Block block;
  irgl_emu::Lanes<32> lanes;
  TempStorage& room;

  IRGL_EMU_MEMBER static TempStorage& own() {
    static thread_local TempStorage storage;
    return storage;
  }
  template <class Op>
  IRGL_EMU_MEMBER Before scanned(const T& input, Op& op) {
    const int warp = block.rank / 32;
    const T all = lanes.scan(input, op), before = lanes.from(lanes.rank - 1, all);
    if (lanes.rank == lanes.count - 1) room.sums[warp] = all;
    __syncthreads();
    Before b = {before, room.sums[0], block.rank > 0};
    for (int k = 1; k <= Block::warps; k++) {
      if (k == warp) b.value = lanes.rank > 0 ? op(b.sum, before) : b.sum;
      if (k < Block::warps) b.sum = op(b.sum, room.sums[k]);
    }
    return b;
  }
  template <class Prefix, class Op>
  IRGL_EMU_MEMBER Before prefixed(Before b, Prefix& prefix, Op& op) {
    if (block.rank < 32) {
      const T first = prefix(b.sum);
      if (block.rank == 0) room.prefix[0] = first;
    }
    __syncthreads();
    b.value = b.after(room.prefix[0], op);
    b.any = true;
    return b;
  }
  template <class Op, class... Aggregate>
  IRGL_EMU_MEMBER Before told(const Before& b, Op&, Aggregate&... block_aggregate) {
    ((block_aggregate = b.sum), ...);
    return b;
  }
  template <class Op, class Prefix, class = Gives<Prefix>>
  IRGL_EMU_MEMBER Before told(const Before& b, Op& op, Prefix& prefix) {
    return prefixed(b, prefix, op);
  }
  template <int N, class Op>
  IRGL_EMU_MEMBER T total(const T (&input)[N], Op& op) {
    T sum = input[0];
    for (int i = 1; i < N; i++) sum = op(sum, input[i]);
    return sum;
  }
  template <int N, class Op>
  IRGL_EMU_MEMBER void items(const T (&input)[N], T (&output)[N], T before, Op& op) {
    for (int i = 0; i < N; i++) {
      const T item = input[i];
      output[i] = before;
      before = op(before, item);
    }
  }
};

}  // namespace cub
