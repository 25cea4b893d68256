// sell: SELL-C-sigma (irgl/forms/sell.py). A lane of a warp has a row: a warp takes the edges of a chunk of 32 rows, or
// of two of 16, column by column.
#pragma once
#include "../swept.cuh"

namespace irgl {
namespace forms {

struct sell : FormData {
  static constexpr bool shared = false;
  size_t chunk = 1, count = 0;  // rows of a chunk; of all
  const node_t* nodes = nullptr;
  const edge_t *degree = nullptr, *begin = nullptr;
  const node_t* ends = nullptr;
  sell() = default;
  explicit sell(const irgl_form& f)
      : FormData(f), chunk(size_t(f.numbers[1])), count(size_t(f.numbers[2])),
        nodes(static_cast<const node_t*>(f.arrays[0])), degree(static_cast<const edge_t*>(f.arrays[1])),
        begin(static_cast<const edge_t*>(f.arrays[2])), ends(static_cast<const node_t*>(f.arrays[3])) {}

  IRGL_DEVICE node_t node(size_t row) const { return nodes[row]; }

  // A column has places for the rows that have not ended, which stand first in their chunk.
  struct Lane {
    const sell& form;
    edge_t length = 0, at = 0, column = 0;
    unsigned beside, below;  // the lanes of the chunk, and of these those before this one
    IRGL_DEVICE Lane(const sell& f, size_t row) : form(f) {
      const unsigned rows = unsigned(f.chunk), first = lane_id() / rows * rows;
      beside = (all_lanes >> (warp_size - rows)) << first;
      below = beside & ((1u << lane_id()) - 1);
      if (row < f.count) length = f.degree[row], column = f.begin[row / f.chunk];
    }
    IRGL_DEVICE bool next(edge_t& place) {
      const bool lives = at++ < length;
      const unsigned live = __ballot_sync(all_lanes, lives) & beside;
      place = column + edge_t(__popc(live & below));
      column += edge_t(__popc(live));
      return lives;
    }
    IRGL_DEVICE node_t far(edge_t place) const { return form.ends[place]; }
  };
};

}  // namespace forms
}  // namespace irgl
