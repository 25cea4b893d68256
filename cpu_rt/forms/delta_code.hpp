// The byte codes of delta. Four values make a group: a byte whose pairs of bits say how many bytes each has, then these,
// the lowest first. A stretch is the codes of at most 64 ascending node ids: how far the first lies from a node, its sign
// in the lowest bit, then the gaps, less what every gap has at `least`.
#pragma once
#include "../types.hpp"
#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace irgl {
namespace delta_ {

constexpr size_t stretch = 64;
constexpr uint8_t widths[2][4] = {{1, 2, 3, 4}, {0, 1, 2, 4}};  // in bytes, by the pair of bits

struct Table {
  uint8_t width[4];
  uint8_t total[256];        // of a group's values, by its control byte
  uint8_t shuffle[256][16];  // brings them into four words
};
constexpr Table table(int kind) {
  Table t{};
  for (int i = 0; i < 4; ++i) t.width[i] = widths[kind][i];
  for (int control = 0; control < 256; ++control) {
    uint8_t at = 0;
    for (int i = 0; i < 4; ++i) {
      const uint8_t width = t.width[control >> (2 * i) & 3];
      for (int b = 0; b < 4; ++b) t.shuffle[control][4 * i + b] = b < width ? uint8_t(at + b) : uint8_t(255);
      at = uint8_t(at + width);
    }
    t.total[control] = at;
  }
  return t;
}
inline constexpr Table tables[2] = {table(0), table(1)};

IRGL_INLINE uint32_t word(const uint8_t* p) {
  return uint32_t(p[0]) | uint32_t(p[1]) << 8 | uint32_t(p[2]) << 16 | uint32_t(p[3]) << 24;
}
IRGL_INLINE uint32_t folded(uint32_t far, uint32_t near) {  // so that small distances either way are small
  const uint32_t d = far - near;
  return d << 1 ^ (0u - (d >> 31));
}
IRGL_INLINE uint32_t unfolded(uint32_t code, uint32_t near) { return near + (code >> 1 ^ (0u - (code & 1))); }

// Decodes the groups that hold the first `count` ids of a stretch, and tells what comes behind them. It may read 16 bytes
// further, and fills far[] to the end of a group.
IRGL_INLINE const uint8_t* decode(const uint8_t* p, const Table& t, uint32_t least, uint32_t near, size_t count, uint32_t* far) {
#if defined(__SSSE3__)
  auto values = [&](const uint8_t* at) __attribute__((always_inline)) {
    const __m128i raw = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 1));
    return _mm_shuffle_epi8(raw, _mm_loadu_si128(reinterpret_cast<const __m128i*>(t.shuffle[*at])));
  };
  const __m128i gap = _mm_set1_epi32(int(least));
  __m128i four = values(p);
  const uint32_t code = uint32_t(_mm_cvtsi128_si32(four));
  __m128i last = _mm_set1_epi32(int(unfolded(code, near) - code - least));  // the first gap leads from there
  for (size_t i = 0;;) {
    four = _mm_add_epi32(four, gap);
    four = _mm_add_epi32(four, _mm_slli_si128(four, 4));
    four = _mm_add_epi32(_mm_add_epi32(four, last), _mm_slli_si128(four, 8));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(far + i), four);
    p += 1 + t.total[*p];
    if ((i += 4) >= count) return p;
    last = _mm_shuffle_epi32(four, 255);
    four = values(p);
  }
#else
  uint32_t last = 0;
  for (size_t i = 0; i < count; i += 4) {
    unsigned control = *p++;
    for (size_t k = i; k < i + 4; ++k, control >>= 2) {
      uint32_t value = 0;
      for (int b = 0; b < t.width[control & 3]; ++b) value |= uint32_t(*p++) << (8 * b);
      far[k] = last = k == 0 ? unfolded(value, near) : last + value + least;
    }
  }
  return p;
#endif
}

// The pair of bits of a value.
IRGL_INLINE unsigned pair_of(uint32_t value, const Table& t) {
  unsigned pair = 0;
  while (t.width[pair] < 4 && value >> (8 * t.width[pair]) != 0) ++pair;
  return pair;
}

}  // namespace delta_
}  // namespace irgl
