// cub::DeviceSegmentedRadixSort and DeviceSegmentedSort: each segment by itself; what is in none stays as it was.
#pragma once
#include "../../irgl_emu/radix.h"
#include "../util_device.cuh"

namespace cub {

struct IrglEmuSegments {
  template <class Key, class Value, class Begins, class Ends>
  IRGL_EMU_MEMBER static cudaError_t sort(void* temp, size_t& bytes, const Key* keys_in, Key* keys_out,
                                          const Value* values_in, Value* values_out, long num_items, long num_segments,
                                          Begins begins, Ends ends, irgl_emu::Digits<Key> digits,
                                          cudaStream_t stream) {
    const size_t needed = 2 * sizeof(long) * static_cast<size_t>(num_items);
    return irgl_emu_whole("cub::DeviceSegmentedSort", temp, bytes, needed, stream, [=]() mutable {
      long* const order = static_cast<long*>(temp);
      for (long s = 0; s < num_segments; s++) {
        const long begin = begins[s], n = static_cast<long>(ends[s]) - begin;
        if (n <= 0) continue;
        irgl_emu::radix_order(order, order + num_items, n, digits.end - digits.begin,
                              [=](long i) { return digits(keys_in[begin + i]); });
        for (long i = 0; i < n; i++) {
          keys_out[begin + i] = keys_in[begin + order[i]];
          if constexpr (!std::is_same_v<Value, NullType>) values_out[begin + i] = values_in[begin + order[i]];
        }
      }
    });
  }
};

// `BITS` are the parameters that only the radix sort has, `DIGITS` what they say.
#define IRGL_EMU_SORT(keys_name, pairs_name, BITS, DIGITS)                                                           \
  template <class Key, class Begins, class Ends>                                                                     \
  IRGL_EMU_MEMBER static cudaError_t keys_name(void* temp, size_t& bytes, const Key* keys_in, Key* keys_out,         \
                                               long num_items, long num_segments, Begins begins,                     \
                                               Ends ends BITS, cudaStream_t stream = 0) {                            \
    return IrglEmuSegments::sort(temp, bytes, keys_in, keys_out, (NullType*)0, (NullType*)0, num_items,              \
                                 num_segments, begins, ends, irgl_emu::Digits<Key> DIGITS, stream);                  \
  }                                                                                                                  \
  template <class Key, class Begins, class Ends>                                                                     \
  IRGL_EMU_MEMBER static cudaError_t keys_name(void* temp, size_t& bytes, DoubleBuffer<Key>& keys, long num_items,   \
                                               long num_segments, Begins begins, Ends ends BITS,                     \
                                               cudaStream_t stream = 0) {                                            \
    const cudaError_t e = IrglEmuSegments::sort(temp, bytes, keys.Current(), keys.Alternate(), (NullType*)0,         \
                                                (NullType*)0, num_items, num_segments, begins, ends,                 \
                                                irgl_emu::Digits<Key> DIGITS, stream);                               \
    if (temp != nullptr) keys.selector ^= 1;                                                                         \
    return e;                                                                                                        \
  }                                                                                                                  \
  template <class Key, class Value, class Begins, class Ends>                                                        \
  IRGL_EMU_MEMBER static cudaError_t pairs_name(void* temp, size_t& bytes, const Key* keys_in, Key* keys_out,        \
                                                const Value* values_in, Value* values_out, long num_items,           \
                                                long num_segments, Begins begins, Ends ends BITS,                    \
                                                cudaStream_t stream = 0) {                                           \
    return IrglEmuSegments::sort(temp, bytes, keys_in, keys_out, values_in, values_out, num_items, num_segments,     \
                                 begins, ends, irgl_emu::Digits<Key> DIGITS, stream);                                \
  }                                                                                                                  \
  template <class Key, class Value, class Begins, class Ends>                                                        \
  IRGL_EMU_MEMBER static cudaError_t pairs_name(void* temp, size_t& bytes, DoubleBuffer<Key>& keys,                  \
                                                DoubleBuffer<Value>& values, long num_items, long num_segments,      \
                                                Begins begins, Ends ends BITS, cudaStream_t stream = 0) {            \
    const cudaError_t e = IrglEmuSegments::sort(                                                                     \
        temp, bytes, keys.Current(), keys.Alternate(), (const Value*)values.Current(), values.Alternate(), num_items,\
        num_segments, begins, ends, irgl_emu::Digits<Key> DIGITS, stream);                                           \
    if (temp != nullptr) keys.selector ^= 1, values.selector ^= 1;                                                   \
    return e;                                                                                                        \
  }
#define IRGL_EMU_COMMA ,
#define IRGL_EMU_BITS , int begin_bit = 0, int end_bit = sizeof(Key) * 8
#define IRGL_EMU_SOME(descending) {begin_bit IRGL_EMU_COMMA end_bit IRGL_EMU_COMMA descending}
#define IRGL_EMU_ALL(descending) {0 IRGL_EMU_COMMA sizeof(Key) * 8 IRGL_EMU_COMMA descending}
struct DeviceSegmentedRadixSort {
  IRGL_EMU_SORT(SortKeys, SortPairs, IRGL_EMU_BITS, IRGL_EMU_SOME(false))
  IRGL_EMU_SORT(SortKeysDescending, SortPairsDescending, IRGL_EMU_BITS, IRGL_EMU_SOME(true))
};
struct DeviceSegmentedSort {
  IRGL_EMU_SORT(SortKeys, SortPairs, , IRGL_EMU_ALL(false))
  IRGL_EMU_SORT(SortKeysDescending, SortPairsDescending, , IRGL_EMU_ALL(true))
  IRGL_EMU_SORT(StableSortKeys, StableSortPairs, , IRGL_EMU_ALL(false))
  IRGL_EMU_SORT(StableSortKeysDescending, StableSortPairsDescending, , IRGL_EMU_ALL(true))
};
#undef IRGL_EMU_COMMA
#undef IRGL_EMU_BITS
#undef IRGL_EMU_SOME
#undef IRGL_EMU_ALL
#undef IRGL_EMU_SORT

}  // namespace cub
