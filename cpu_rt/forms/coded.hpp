// What forms share that code a node's edges in bytes (irgl/forms/coded.py): where these begin, and a row of them. Places
// are those of rows.
#pragma once
#include <string.h>

#include "../row_form.hpp"

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
  IRGL_INLINE const uint8_t* place(node_t n) const { return bytes + base[size_t(n) / group] + offset[n]; }
  IRGL_INLINE const uint8_t* codes(node_t n, size_t count) const {  // of so many edges
    const uint8_t* const own = place(n);
    if (count <= longest) return own;
    edge_t apart;
    memcpy(&apart, own, sizeof apart);
    return bytes + apart;
  }
};

// A thread can begin after every `stretch` edges. What decodes them comes on top: visit(from, to, f).
template <class F, size_t stretch>
struct CodedRow : Unweighted {
  using item = Placed;
  F form;
  edge_t first;  // place of the first edge
  size_t count;
  node_t near;
  IRGL_INLINE CodedRow(const F& f, node_t n)
      : form(f), first(f.rows.row[n]), count(size_t(degree(f.rows, n))), near(n) {}
  IRGL_INLINE const uint8_t* bytes() const { return form.codes(near, count); }
  IRGL_INLINE size_t size() const { return count; }
  size_t cost() const { return 1; }
  size_t work(size_t) const { return count; }
  size_t cut(size_t chunks, size_t k) const { return cut_at(count, stretch, chunks, k); }
};

}  // namespace forms

IRGL_INLINE void prefetch_row(const forms::coded& f, node_t n) {
  __builtin_prefetch(f.rows.row + n);
  __builtin_prefetch(f.base + size_t(n) / f.group);
  __builtin_prefetch(f.offset + n);
}
IRGL_INLINE void prefetch_edges(const forms::coded& f, node_t n) { __builtin_prefetch(f.place(n)); }

}  // namespace irgl
