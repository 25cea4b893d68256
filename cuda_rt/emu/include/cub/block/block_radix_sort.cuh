// cub::BlockRadixSort and BlockMergeSort. The items lie in shared memory, where one thread finds their order while the
// others wait: right, and no measure of what it costs on a GPU.
#pragma once
#include "../../irgl_emu/radix.h"
#include "../../irgl_emu/together.h"
#include "block_scan.cuh"

namespace cub {

// N items of each thread and what goes with them, sorted.
template <class Key, int X, int N, class Value, int Y, int Z>
class IrglEmuBlockSort {
  using Block = irgl_emu::Threads<X, Y, Z>;
  static constexpr int count = Block::count * N;
  static constexpr bool valued = !__is_same(Value, NullType);
  static constexpr int largest = valued && sizeof(Value) > sizeof(Key) ? sizeof(Value) : sizeof(Key);

 public:
  struct TempStorage {
    alignas(Key) alignas(Value) unsigned char items[largest * count];
    unsigned short order[count], other[count];
  };

 protected:
  Block block;
  TempStorage& room;

  IRGL_EMU_MEMBER explicit IrglEmuBlockSort(TempStorage& storage) : room(storage) {}
  IRGL_EMU_MEMBER static TempStorage& own() {
    static thread_local TempStorage storage;
    return storage;
  }
  IRGL_EMU_MEMBER Key* keys() { return reinterpret_cast<Key*>(room.items); }
  IRGL_EMU_MEMBER int place(int i, bool striped) const {
    return striped ? block.rank + i * Block::count : block.rank * N + i;
  }

  template <class Order>
  IRGL_EMU_MEMBER void sort(Key (&items)[N], bool striped, Order order) {
    for (int i = 0; i < N; i++) keys()[place(i, false)] = items[i];
    __syncthreads();
    if (block.rank == 0) order(room.order, room.other, keys());
    __syncthreads();
    for (int i = 0; i < N; i++) items[i] = keys()[room.order[place(i, striped)]];
  }
  IRGL_EMU_MEMBER void follow(Value (&values)[N], bool striped) {
    Value* const laid = reinterpret_cast<Value*>(room.items);
    __syncthreads();
    for (int i = 0; i < N; i++) laid[place(i, false)] = values[i];
    __syncthreads();
    for (int i = 0; i < N; i++) values[i] = laid[room.order[place(i, striped)]];
  }
};

enum BlockRadixRankAlgorithm { RADIX_RANK_BASIC, RADIX_RANK_MEMOIZE, RADIX_RANK_MATCH };

template <class Key, int X, int N, class Value = NullType, int RADIX_BITS = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig = cudaSharedMemBankSizeFourByte, int Y = 1,
          int Z = 1, int = 0>
class BlockRadixSort : public IrglEmuBlockSort<Key, X, N, Value, Y, Z> {
  using Base = IrglEmuBlockSort<Key, X, N, Value, Y, Z>;
  static constexpr int bits = irgl_emu::Radix<Key>::bits;

 public:
  using TempStorage = typename Base::TempStorage;
  IRGL_EMU_MEMBER BlockRadixSort() : Base(Base::own()) {}
  IRGL_EMU_MEMBER explicit BlockRadixSort(TempStorage& storage) : Base(storage) {}

#define IRGL_EMU_SORT(name, descending, striped)                                                          \
  IRGL_EMU_MEMBER void name(Key (&keys)[N], int begin_bit = 0, int end_bit = bits) {                      \
    ordered(keys, striped, {begin_bit, end_bit, descending});                                             \
  }                                                                                                       \
  IRGL_EMU_MEMBER void name(Key (&keys)[N], Value (&values)[N], int begin_bit = 0, int end_bit = bits) {  \
    ordered(keys, striped, {begin_bit, end_bit, descending});                                             \
    this->follow(values, striped);                                                                        \
  }
  IRGL_EMU_SORT(Sort, false, false)
  IRGL_EMU_SORT(SortDescending, true, false)
  IRGL_EMU_SORT(SortBlockedToStriped, false, true)
  IRGL_EMU_SORT(SortDescendingBlockedToStriped, true, true)
#undef IRGL_EMU_SORT

 private:
  IRGL_EMU_MEMBER void ordered(Key (&keys)[N], bool striped, irgl_emu::Digits<Key> digits) {
    this->sort(keys, striped, [digits](unsigned short* order, unsigned short* other, const Key* laid) {
      irgl_emu::radix_order(order, other, X * Y * Z * N, digits.end - digits.begin,
                            [=](long i) { return digits(laid[i]); });
    });
  }
};

template <class Key, int X, int N, class Value = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : public IrglEmuBlockSort<Key, X, N, Value, Y, Z> {
  using Base = IrglEmuBlockSort<Key, X, N, Value, Y, Z>;

 public:
  using TempStorage = typename Base::TempStorage;
  IRGL_EMU_MEMBER BlockMergeSort() : Base(Base::own()) {}
  IRGL_EMU_MEMBER explicit BlockMergeSort(TempStorage& storage) : Base(storage) {}

  template <class Less>
  IRGL_EMU_MEMBER void Sort(Key (&keys)[N], Less less) {
    ordered(keys, less, X * Y * Z * N);
  }
  // The items from `valid_items` on stay where they are; none of them comes before `oob_default`.
  template <class Less>
  IRGL_EMU_MEMBER void Sort(Key (&keys)[N], Less less, int valid_items, Key) {
    ordered(keys, less, valid_items);
  }
  template <class Less>
  IRGL_EMU_MEMBER void Sort(Key (&keys)[N], Value (&values)[N], Less less) {
    ordered(keys, less, X * Y * Z * N);
    this->follow(values, false);
  }
  template <class Less>
  IRGL_EMU_MEMBER void Sort(Key (&keys)[N], Value (&values)[N], Less less, int valid_items, Key) {
    ordered(keys, less, valid_items);
    this->follow(values, false);
  }
  template <class... Args>
  IRGL_EMU_MEMBER void StableSort(Args&&... args) {
    Sort(static_cast<Args&&>(args)...);
  }

 private:
  template <class Less>
  IRGL_EMU_MEMBER void ordered(Key (&keys)[N], Less less, int valid) {
    this->sort(keys, false, [=](unsigned short* order, unsigned short* other, const Key* laid) mutable {
      irgl_emu::merge_order(order, other, valid, [=](long a, long b) mutable { return less(laid[a], laid[b]); });
      for (int i = valid; i < X * Y * Z * N; i++) order[i] = static_cast<unsigned short>(i);
    });
  }
};

}  // namespace cub
