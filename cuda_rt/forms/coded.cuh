// What forms share that code a node's edges in bytes (irgl/forms/coded.py): where these begin, and what has to be known
// of a row of them. Places are those of rows.
#pragma once
#include "../row_form.cuh"

namespace irgl {
namespace forms {

struct coded : RowForm {
  static constexpr size_t group = 64, longest = 192;  // nodes of a base; edges of a row that stands in its place
  const edge_t* base = nullptr;                       // of each group
  const uint16_t* offset = nullptr;                   // of each node
  const uint8_t* bytes = nullptr;
  coded() = default;
  coded(const irgl_form& f, const Rows& r)
      : RowForm(f, r),
        base(static_cast<const edge_t*>(f.arrays[0])),
        offset(static_cast<const uint16_t*>(f.arrays[1])),
        bytes(static_cast<const uint8_t*>(f.arrays[2])) {}

  struct Row : Interval<edge_t> {
    node_t near = 0;
    Row() = default;
    IRGL_DEVICE Row(const Interval<edge_t>& places, node_t n) : Interval<edge_t>(places), near(n) {}
  };
  IRGL_DEVICE Row row(node_t n) const { return {irgl::edges(rows, n), n}; }

  // 32 bits, and no more than 8 bytes of what holds them: 16 are behind the last.
  IRGL_DEVICE uint32_t bits_at(uint64_t bit) const {
    const uint32_t* const p = reinterpret_cast<const uint32_t*>(bytes) + (bit >> 5);
    return __funnelshift_r(p[0], p[1], unsigned(bit & 31));
  }
  // Where the row's codes begin.
  IRGL_DEVICE edge_t codes_of(const Row& row) const {
    const edge_t own = base[size_t(row.near) / group] + offset[row.near];
    if (row.size() <= longest) return own;
    const uint64_t bit = uint64_t(own) * 8;
    if constexpr (sizeof(edge_t) == 4) return edge_t(bits_at(bit));
    return edge_t(bits_at(bit) | uint64_t(bits_at(bit + 32)) << 32);
  }
};

}  // namespace forms
}  // namespace irgl
