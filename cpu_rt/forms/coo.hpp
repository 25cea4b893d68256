// coo: both ends of every edge (irgl/forms/coo.py).
#pragma once
#include "../sweep.hpp"

namespace irgl {
namespace forms {

struct coo : FormData {
  size_t parts = 0;
  const edge_t *first = nullptr, *begin = nullptr;  // of each part: node, place
  const node_t *near = nullptr, *far = nullptr;
  coo() = default;
  explicit coo(const irgl_form& f)
      : FormData(f), parts(size_t(f.numbers[0])), first(static_cast<const edge_t*>(f.arrays[0])),
        begin(static_cast<const edge_t*>(f.arrays[1])), near(static_cast<const node_t*>(f.arrays[2])),
        far(static_cast<const node_t*>(f.arrays[3])) {}
};

}  // namespace forms

IRGL_INLINE size_t part_count(const forms::coo& f) { return f.parts; }
IRGL_INLINE size_t rows_in(const forms::coo& f, Part p) { return size_t(f.first[p.index + 1] - f.first[p.index]); }
IRGL_INLINE size_t work_of(const forms::coo& f) { return size_t(f.first[f.parts]) + size_t(f.begin[f.parts]); }
template <class Op>
IRGL_INLINE void each_row(const forms::coo& f, Part p, Op&& op) {
  const edge_t first = f.first[p.index];
  for (size_t k = 0; k < rows_in(f, p); ++k) op(node_t(first) + node_t(k), k);
}
template <bool = false, class Op>
IRGL_INLINE void each_edge(const forms::coo& f, Part p, Op&& op) {
  const node_t first = node_t(f.first[p.index]);
  for (edge_t e = f.begin[p.index], end = f.begin[p.index + 1]; e < end; ++e)
    op(f.near[e], size_t(f.near[e] - first), f.far[e], e);
}

}  // namespace irgl
