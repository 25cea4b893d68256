// The bits of ef. A row is its first far end with the number of low bits above it, of every 64th edge where its one stands
// (32 bits each), then of the second edge and those behind it the low bits, and a bit string that has a one for each.
#pragma once
#include <string.h>

#include "../types.hpp"

namespace irgl {
namespace ef_ {

constexpr size_t stretch = 64, low_bits = 5;

// At least 57 bits from a bit on.
IRGL_INLINE uint64_t bits_at(const uint8_t* p, uint64_t bit) {
  uint64_t word;
  memcpy(&word, p + (bit >> 3), sizeof word);
  return word >> (bit & 7);
}
IRGL_INLINE uint64_t below(unsigned bits) { return (uint64_t(1) << bits) - 1; }

struct Row {
  const uint8_t* samples;
  const uint8_t* codes;  // the low bits, and behind them the ones
  uint64_t ones;         // where these begin, in bits
  uint32_t first;
  unsigned low;
};
// ahead: bytes of the first end and the number of low bits. count: the row's edges, at least one.
IRGL_INLINE Row row_at(const uint8_t* p, unsigned id_bits, size_t ahead, size_t count) {
  const uint64_t head = bits_at(p, 0);
  const unsigned low = unsigned(head >> id_bits & below(low_bits));
  return {p + ahead, p + ahead + 4 * ((count - 1) / stretch), uint64_t(low) * (count - 1), uint32_t(head & below(id_bits)), low};
}
IRGL_INLINE uint32_t sample(const Row& r, size_t k) {  // of edge 64 k, k at least 1
  uint32_t found;
  memcpy(&found, r.samples + 4 * (k - 1), sizeof found);
  return found;
}

// Calls f(k, far) for the edges from..to-1 of a row.
template <class F>
IRGL_INLINE void decode(const Row& r, size_t from, size_t to, F&& f) {
  if (from >= to) return;
  if (from == 0) f(size_t(0), r.first), from = 1;
  size_t k = from / stretch * stretch;  // the edge whose one is met next
  uint64_t at = r.ones;
  if (k == 0) k = 1;
  else at += sample(r, k / stretch);
  const uint8_t* p = r.codes + (at >> 3);
  uint64_t word;
  memcpy(&word, p, sizeof word);
  word &= ~below(unsigned(at & 7));
  for (; k < to; ++k, word &= word - 1) {
    while (word == 0) memcpy(&word, p += sizeof word, sizeof word);
    if (k < from) continue;
    const uint64_t one = uint64_t(p - r.codes) * 8 + uint64_t(__builtin_ctzll(word)) - r.ones;
    const uint64_t low = bits_at(r.codes, uint64_t(r.low) * (k - 1)) & below(r.low);
    f(k, r.first + uint32_t((one - (k - 1)) << r.low | low));
  }
}

}  // namespace ef_
}  // namespace irgl
