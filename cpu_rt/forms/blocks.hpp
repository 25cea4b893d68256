// blocks: parts of nodes times tiles of far ends (irgl/forms/blocks.py).
#pragma once
#include "../sweep.hpp"

namespace irgl {
namespace forms {

struct blocks : Stretches {
  int tile = 16, inside = 0;  // 0 column, 1 row: words either way; 2 runs
  const edge_t* block = nullptr;  // of each part: its first
  const node_t* tile_of = nullptr;
  const edge_t* begin = nullptr;
  const uint32_t* words = nullptr;
  const edge_t* halves = nullptr;
  blocks() = default;
  explicit blocks(const irgl_form& f)
      : Stretches(f), tile(int(f.numbers[1])), inside(int(f.numbers[2])), block(static_cast<const edge_t*>(f.arrays[1])),
        tile_of(static_cast<const node_t*>(f.arrays[2])), begin(static_cast<const edge_t*>(f.arrays[3])),
        words(static_cast<const uint32_t*>(f.arrays[4])), halves(static_cast<const edge_t*>(f.arrays[5])) {}
};

}  // namespace forms

IRGL_INLINE size_t work_of(const forms::blocks& f) {
  return size_t(f.first[f.parts]) + size_t(f.begin[f.block[f.parts]]);
}
template <bool = false, class Op>
IRGL_INLINE void each_edge(const forms::blocks& f, Part p, Op&& op) {
  const node_t first = node_t(f.first[p.index]);
  const int tile = f.tile;
  const uint32_t low = (uint32_t(1) << tile) - 1;
  for (edge_t b = f.block[p.index]; b < f.block[p.index + 1]; ++b) {
    const node_t base = node_t(f.tile_of[b]) << tile;
    edge_t e = f.begin[b];
    const edge_t end = f.begin[b + 1];
    if (f.inside != 2) {
      side_by_side(e, end, [&](edge_t at) __attribute__((always_inline)) {
        const uint32_t word = f.words[at];
        op(first + node_t(word >> tile), size_t(word >> tile), base + node_t(word & low), at);
      });
    } else {
      const uint16_t* half = reinterpret_cast<const uint16_t*>(f.words) + f.halves[b];
      while (e < end) {
        const size_t k = *half++;
        for (edge_t stop = e + edge_t(*half++); e < stop; ++e) op(first + node_t(k), k, base + node_t(*half++), e);
      }
    }
  }
}

}  // namespace irgl
