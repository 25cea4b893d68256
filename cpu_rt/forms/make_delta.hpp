// Makes delta of rows (irgl/forms/delta.py).
#pragma once
#include "../types.hpp"
#include "delta_code.hpp"

namespace irgl {
namespace delta_ {

// Writes a node's codes and tells how many bytes they are; null: tells it alone.
inline size_t coded(const node_t* far, size_t count, uint32_t near, const Table& t, uint32_t least, uint8_t* out) {
  const size_t ahead = count == 0 ? 0 : 4 * ((count - 1) / stretch);
  size_t size = ahead, control = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i % stretch == 0 && i != 0 && out != nullptr) {
      const uint32_t distance = uint32_t(size - ahead);
      for (size_t b = 0; b < 4; ++b) out[4 * (i / stretch - 1) + b] = uint8_t(distance >> (8 * b));
    }
    if (i % 4 == 0) {
      control = size++;
      if (out != nullptr) out[control] = 0;
    }
    const uint32_t value = i % stretch == 0 ? folded(uint32_t(far[i]), near) : uint32_t(far[i] - far[i - 1]) - least;
    const unsigned pair = pair_of(value, t);
    if (out != nullptr) {
      out[control] = uint8_t(out[control] | pair << (2 * (i % 4)));
      for (int b = 0; b < t.width[pair]; ++b) out[size + size_t(b)] = uint8_t(value >> (8 * b));
    }
    size += t.width[pair];
  }
  return size;
}

}  // namespace delta_
}  // namespace irgl

// How many bytes each node has with codes of a kind.
extern "C" void irgl_count_delta(int64_t n, int64_t kind, int64_t least, const irgl::edge_t* row, const irgl::node_t* far,
                                 int64_t* size) {
#pragma omp parallel for schedule(dynamic, 4096)
  for (int64_t v = 0; v < n; ++v)
    size[v] = int64_t(irgl::delta_::coded(far + row[v], size_t(row[v + 1] - row[v]), uint32_t(v),
                                          irgl::delta_::tables[kind], uint32_t(least), nullptr));
}

extern "C" void irgl_make_delta(int64_t n, int64_t kind, int64_t least, const irgl::edge_t* row, const irgl::node_t* far,
                                const irgl::edge_t* begin, uint8_t* bytes) {
#pragma omp parallel for schedule(dynamic, 4096)
  for (int64_t v = 0; v < n; ++v)
    irgl::delta_::coded(far + row[v], size_t(row[v + 1] - row[v]), uint32_t(v), irgl::delta_::tables[kind],
                        uint32_t(least), bytes + begin[v]);
}
