// coo: both ends of every edge (irgl/forms/coo.py).
#pragma once
#include "../sweep.hpp"

namespace irgl {
namespace forms {

struct coo : Stretches {
  size_t segments = 1;            // of each part: edges by stretches of their far ends
  const edge_t* begin = nullptr;  // of each of these: its first place
  const node_t *near = nullptr, *far = nullptr;
  coo() = default;
  explicit coo(const irgl_form& f)
      : Stretches(f), segments(size_t(f.numbers[1])), begin(static_cast<const edge_t*>(f.arrays[1])),
        near(static_cast<const node_t*>(f.arrays[2])), far(static_cast<const node_t*>(f.arrays[3])) {}
};

}  // namespace forms

IRGL_INLINE size_t work_of(const forms::coo& f) {
  return size_t(f.first[f.parts]) + size_t(f.begin[f.parts * f.segments]);
}
// Segment after segment: sums are the same whoever runs the part.
template <bool = false, class Op>
IRGL_INLINE void each_edge(const forms::coo& f, Part p, Op&& op) {
  const node_t first = node_t(f.first[p.index]);
  for (size_t s = p.index * f.segments; s < (p.index + 1) * f.segments; ++s)
    side_by_side(f.begin[s], f.begin[s + 1], [&](edge_t e) __attribute__((always_inline)) {
      op(f.near[e], size_t(f.near[e] - first), f.far[e], e);
    });
}

}  // namespace irgl
