// cub::DeviceRadixSort.
#pragma once
#include "../../irgl_emu/radix.h"
#include "../util_device.cuh"

namespace cub {

struct DeviceRadixSort {
#define IRGL_EMU_SORT(keys_name, pairs_name, descending)                                                              \
  template <class Key, class Count>                                                                                   \
  IRGL_EMU_MEMBER static cudaError_t keys_name(void* temp, size_t& bytes, const Key* keys_in, Key* keys_out,          \
                                               Count num_items, int begin_bit = 0, int end_bit = sizeof(Key) * 8,     \
                                               cudaStream_t stream = 0) {                                             \
    return sort(temp, bytes, keys_in, keys_out, (NullType*)0, (NullType*)0, num_items,                                \
                irgl_emu::Digits<Key>{begin_bit, end_bit, descending}, stream);                                       \
  }                                                                                                                   \
  template <class Key, class Count>                                                                                   \
  IRGL_EMU_MEMBER static cudaError_t keys_name(void* temp, size_t& bytes, DoubleBuffer<Key>& keys, Count num_items,   \
                                               int begin_bit = 0, int end_bit = sizeof(Key) * 8,                      \
                                               cudaStream_t stream = 0) {                                             \
    const cudaError_t e = keys_name(temp, bytes, (const Key*)keys.Current(), keys.Alternate(), num_items, begin_bit,  \
                                    end_bit, stream);                                                                 \
    if (temp != nullptr) keys.selector ^= 1;                                                                          \
    return e;                                                                                                         \
  }                                                                                                                   \
  template <class Key, class Value, class Count>                                                                      \
  IRGL_EMU_MEMBER static cudaError_t pairs_name(void* temp, size_t& bytes, const Key* keys_in, Key* keys_out,         \
                                                const Value* values_in, Value* values_out, Count num_items,           \
                                                int begin_bit = 0, int end_bit = sizeof(Key) * 8,                     \
                                                cudaStream_t stream = 0) {                                            \
    return sort(temp, bytes, keys_in, keys_out, values_in, values_out, num_items,                                     \
                irgl_emu::Digits<Key>{begin_bit, end_bit, descending}, stream);                                       \
  }                                                                                                                   \
  template <class Key, class Value, class Count>                                                                      \
  IRGL_EMU_MEMBER static cudaError_t pairs_name(void* temp, size_t& bytes, DoubleBuffer<Key>& keys,                   \
                                                DoubleBuffer<Value>& values, Count num_items, int begin_bit = 0,      \
                                                int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0) {             \
    const cudaError_t e = pairs_name(temp, bytes, (const Key*)keys.Current(), keys.Alternate(),                       \
                                     (const Value*)values.Current(), values.Alternate(), num_items, begin_bit,        \
                                     end_bit, stream);                                                                \
    if (temp != nullptr) keys.selector ^= 1, values.selector ^= 1;                                                    \
    return e;                                                                                                         \
  }
  IRGL_EMU_SORT(SortKeys, SortPairs, false)
  IRGL_EMU_SORT(SortKeysDescending, SortPairsDescending, true)
#undef IRGL_EMU_SORT

 private:
  template <class Key, class Value, class Count>
  IRGL_EMU_MEMBER static cudaError_t sort(void* temp, size_t& bytes, const Key* keys_in, Key* keys_out,
                                          const Value* values_in, Value* values_out, Count num_items,
                                          irgl_emu::Digits<Key> digits, cudaStream_t stream) {
    const size_t needed = 2 * sizeof(Count) * static_cast<size_t>(num_items);
    return irgl_emu_whole("cub::DeviceRadixSort", temp, bytes, needed, stream, [=]() {
      Count* const order = static_cast<Count*>(temp);
      irgl_emu::radix_order(order, order + num_items, num_items, digits.end - digits.begin,
                            [=](long i) { return digits(keys_in[i]); });
      for (Count i = 0; i < num_items; i++) {
        keys_out[i] = keys_in[order[i]];
        if constexpr (!std::is_same_v<Value, NullType>) values_out[i] = values_in[order[i]];
      }
    });
  }
};

}  // namespace cub
