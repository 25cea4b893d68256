// Keys as radix sorts see them: numbers whose bits are in the keys' order; and a stable sort by some of these bits.
#pragma once
#include "types.h"

namespace irgl_emu {

template <class Key>
struct Radix {
  static constexpr int bits = sizeof(Key) * 8;
  static constexpr unsigned long top = 1ul << (bits - 1), all = top | (top - 1);

  static unsigned long of(const Key& key) {
    unsigned long b = 0;
    __builtin_memcpy(&b, &key, sizeof(Key));
    if constexpr (Key(1) / Key(2) != Key(0)) {  // -0 is 0
      if (b == top) b = 0;
      return b & top ? ~b & all : b | top;
    } else if constexpr (Key(-1) < Key(0)) {
      return b ^ top;
    } else {
      return b;
    }
  }
};
template <>
struct Radix<bool> {
  static constexpr int bits = 8;
  static unsigned long of(const bool& key) { return key; }
};

// The bits from `begin` up to `end` of a key, upside down where the largest come first.
template <class Key>
struct Digits {
  int begin, end;
  bool descending;

  unsigned long operator()(const Key& key) const {
    const unsigned long mask = end - begin < 64 ? (1ul << (end - begin)) - 1 : ~0ul;
    const unsigned long b = begin < 64 ? Radix<Key>::of(key) >> begin & mask : 0;
    return descending ? mask - b : b;
  }
};

// The order of n items in `order`, by keys(item), with room for as many in `other`; equal ones stay in theirs. One
// thread, passes of 8 bits.
template <class Index, class Keys>
inline void radix_order(Index* order, Index* other, long n, int bits, Keys keys) {
  for (long i = 0; i < n; i++) order[i] = static_cast<Index>(i);
  for (int shift = 0; shift < bits; shift += 8) {
    long begins[257] = {};
    for (long i = 0; i < n; i++) begins[(keys(i) >> shift & 255) + 1]++;
    for (int d = 0; d < 256; d++) begins[d + 1] += begins[d];
    for (long i = 0; i < n; i++) {
      const Index item = order[i];
      other[begins[keys(item) >> shift & 255]++] = item;
    }
    for (long i = 0; i < n; i++) order[i] = other[i];
  }
}

// The order of n items in `order`, with room for as many in `other`: before(a, b) says whether a comes first.
template <class Index, class Before>
inline void merge_order(Index* order, Index* other, long n, Before before) {
  for (long i = 0; i < n; i++) order[i] = static_cast<Index>(i);
  for (long width = 1; width < n; width *= 2) {
    for (long low = 0; low < n; low += 2 * width) {
      const long middle = low + width < n ? low + width : n, high = low + 2 * width < n ? low + 2 * width : n;
      long a = low, b = middle;
      for (long to = low; to < high; to++) {
        const bool second = a == middle || (b < high && before(order[b], order[a]));
        other[to] = second ? order[b++] : order[a++];
      }
    }
    for (long i = 0; i < n; i++) order[i] = other[i];
  }
}

}  // namespace irgl_emu
