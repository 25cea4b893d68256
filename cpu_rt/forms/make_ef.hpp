// Makes ef of rows in ascending order (irgl/forms/ef.py says how many low bits each has). All bytes are 0 before.
#pragma once
#include "ef_code.hpp"

namespace irgl {
namespace ef_ {

inline void put(uint8_t* p, uint64_t bit, uint64_t value, unsigned bits) {
  p += bit >> 3;
  value <<= bit & 7;
  for (bits += unsigned(bit & 7);; value >>= 8, ++p) {
    *p = uint8_t(*p | value);
    if (bits <= 8) return;
    bits -= 8;
  }
}

inline void code(const node_t* far, size_t count, unsigned id_bits, unsigned low, uint8_t* out) {
  if (count == 0) return;
  put(out, 0, uint64_t(far[0]), id_bits), put(out, id_bits, low, low_bits);
  uint8_t* const samples = out + (id_bits + low_bits) / 8;
  uint8_t* const codes = samples + 4 * ((count - 1) / stretch);
  const uint64_t ones = uint64_t(low) * (count - 1);
  for (size_t k = 1; k < count; ++k) {
    const uint64_t beyond = uint64_t(far[k] - far[0]), one = (beyond >> low) + (k - 1);
    if (low != 0) put(codes, uint64_t(low) * (k - 1), beyond & below(low), low);
    put(codes, ones + one, 1, 1);
    if (k % stretch == 0) {
      const uint32_t place = uint32_t(one);
      memcpy(samples + 4 * (k / stretch - 1), &place, sizeof place);
    }
  }
}

}  // namespace ef_
}  // namespace irgl

extern "C" void irgl_make_ef(int64_t n, int64_t id_bits, const irgl::edge_t* row, const irgl::node_t* far, const uint8_t* low,
                             const irgl::edge_t* begin, uint8_t* bytes) {
#pragma omp parallel for schedule(dynamic, 4096)
  for (int64_t v = 0; v < n; ++v)
    irgl::ef_::code(far + row[v], size_t(row[v + 1] - row[v]), unsigned(id_bits), low[v], bytes + begin[v]);
}
