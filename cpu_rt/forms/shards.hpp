// shards: blocks whose edges find copies of what they want of their far ends at their places (irgl/forms/shards.py).
#pragma once
#include "../copies.hpp"
#include "blocks.hpp"

namespace irgl {
namespace forms {

struct shards : blocks {
  size_t tiles = 0;
  const edge_t *starts = nullptr, *by_tile = nullptr;  // where each tile's blocks begin among the blocks by tiles; these
  shards() = default;
  explicit shards(const irgl_form& f)
      : blocks(f), tiles(size_t(f.numbers[3])), starts(static_cast<const edge_t*>(f.arrays[5])), by_tile(starts + tiles + 1) {}
};

}  // namespace forms

struct Tile { size_t index; };

IRGL_INLINE size_t place_count(const forms::shards& f) { return size_t(f.begin[f.block[f.parts]]); }
IRGL_INLINE Shares<Tile> tiles(const forms::shards& f) { return {f.tiles, place_count(f)}; }
// Calls op(far, place) for the edges that lead into a tile: where edges want values, tile by tile.
template <class Op>
IRGL_INLINE void each_far(const forms::shards& f, Tile t, Op&& op) {
  const node_t base = node_t(t.index) << f.tile;
  const uint32_t low = (uint32_t(1) << f.tile) - 1;
  for (edge_t i = f.starts[t.index]; i < f.starts[t.index + 1]; ++i) {
    const edge_t b = f.by_tile[i];
    for (edge_t e = f.begin[b]; e < f.begin[b + 1]; ++e) op(base + node_t(f.words[e] & low), e);
  }
}

}  // namespace irgl
