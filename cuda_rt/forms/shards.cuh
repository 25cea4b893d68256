// shards: blocks whose edges find copies of what they want of their far ends at their places (irgl/forms/shards.py).
#pragma once
#include "../copies.cuh"
#include "blocks.cuh"

namespace irgl {
namespace forms {

struct shards : blocks {
  static constexpr bool shared = true;
  size_t count = 0;  // of all blocks
  const edge_t* by_tile = nullptr;  // these, those of a tile together
  Copies copies;
  shards() = default;
  explicit shards(const irgl_form& f)
      : blocks(f), count(size_t(f.bytes[2]) / sizeof(node_t)),
        by_tile(static_cast<const edge_t*>(f.arrays[5]) + size_t(f.numbers[3]) + 1) {}
};

}  // namespace forms

// Neighbouring threads have neighbouring places; the blocks of the grid take those of one tile at about the same time.
template <class Op>
IRGL_DEVICE void each_far(const forms::shards& f, Op&& op) {
  const uint32_t low = (uint32_t(1) << f.tile) - 1;
  for (size_t i = blockIdx.x; i < f.count; i += gridDim.x) {
    const edge_t b = f.by_tile[i];
    const node_t base = node_t(f.tile_of[b] << f.tile);
    const size_t end = size_t(f.begin[b + 1]);
    for (size_t e = size_t(f.begin[b]) + threadIdx.x; e < end; e += block_size)
      op(base + node_t(f.words[e] & low), edge_t(e));
  }
}

}  // namespace irgl
