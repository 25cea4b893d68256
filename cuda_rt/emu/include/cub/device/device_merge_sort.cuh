// cub::DeviceMergeSort: by a comparison, in place. All of it is stable.
#pragma once
#include "../../irgl_emu/radix.h"
#include "../util_device.cuh"

namespace cub {

struct DeviceMergeSort {
  template <class Keys, class Count, class Less>
  IRGL_EMU_MEMBER static cudaError_t SortKeys(void* temp, size_t& bytes, Keys keys, Count num_items, Less less,
                                              cudaStream_t stream = 0) {
    return sort(temp, bytes, keys, (NullType*)0, num_items, less, stream);
  }
  template <class Keys, class Values, class Count, class Less>
  IRGL_EMU_MEMBER static cudaError_t SortPairs(void* temp, size_t& bytes, Keys keys, Values values, Count num_items,
                                               Less less, cudaStream_t stream = 0) {
    return sort(temp, bytes, keys, values, num_items, less, stream);
  }
  template <class In, class Out, class Count, class Less>
  IRGL_EMU_MEMBER static cudaError_t SortKeysCopy(void* temp, size_t& bytes, In in, Out out, Count num_items,
                                                  Less less, cudaStream_t stream = 0) {
    const size_t needed = 2 * sizeof(Count) * static_cast<size_t>(num_items);
    return irgl_emu_whole("cub::DeviceMergeSort", temp, bytes, needed, stream, [=]() mutable {
      Count* const order = static_cast<Count*>(temp);
      irgl_emu::merge_order(order, order + num_items, num_items,
                            [=](Count a, Count b) mutable -> bool { return less(in[a], in[b]); });
      for (Count i = 0; i < num_items; i++) out[i] = in[order[i]];
    });
  }
  template <class... Args>
  IRGL_EMU_MEMBER static cudaError_t StableSortKeys(void* temp, size_t& bytes, Args... args) {
    return SortKeys(temp, bytes, args...);
  }
  template <class... Args>
  IRGL_EMU_MEMBER static cudaError_t StableSortPairs(void* temp, size_t& bytes, Args... args) {
    return SortPairs(temp, bytes, args...);
  }
  template <class... Args>
  IRGL_EMU_MEMBER static cudaError_t StableSortKeysCopy(void* temp, size_t& bytes, Args... args) {
    return SortKeysCopy(temp, bytes, args...);
  }

 private:
  // Items go where the order says along its cycles, which need no room.
  template <class Items, class Count>
  static void lay(Items items, const Count* order, Count* left, Count num_items) {
    for (Count i = 0; i < num_items; i++) left[i] = order[i];
    for (Count begin = 0; begin < num_items; begin++) {
      if (left[begin] == begin) continue;
      IrglEmuValue<Items> first = items[begin];
      Count at = begin;
      for (Count from = left[at]; from != begin; from = left[at]) {
        items[at] = items[from];
        left[at] = at;
        at = from;
      }
      items[at] = first;
      left[at] = at;
    }
  }
  template <class Keys, class Values, class Count, class Less>
  IRGL_EMU_MEMBER static cudaError_t sort(void* temp, size_t& bytes, Keys keys, Values values, Count num_items,
                                          Less less, cudaStream_t stream) {
    const size_t needed = 2 * sizeof(Count) * static_cast<size_t>(num_items);
    return irgl_emu_whole("cub::DeviceMergeSort", temp, bytes, needed, stream, [=]() mutable {
      Count* const order = static_cast<Count*>(temp);
      irgl_emu::merge_order(order, order + num_items, num_items,
                            [=](Count a, Count b) mutable -> bool { return less(keys[a], keys[b]); });
      lay(keys, order, order + num_items, num_items);
      if constexpr (!std::is_same_v<Values, NullType*>) lay(values, order, order + num_items, num_items);
    });
  }
};

}  // namespace cub
