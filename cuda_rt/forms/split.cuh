// split: pieces of at most so many edges of one node, Tigr's virtual nodes (irgl/forms/split.py). FG deals out pieces,
// each of which one thread walks; otherwise threads share a node's edges as they do those of rows.
#pragma once
#include "../row_form.cuh"

namespace irgl {
namespace forms {

struct split : RowForm {
  using Row = Interval<edge_t>;
  size_t most = 1;  // edges of a piece
  const edge_t *first = nullptr, *begin = nullptr;  // of each node: its first piece; of each piece: its first edge
  const node_t* far = nullptr;
  split() = default;
  split(const irgl_form& f, const Rows& r)
      : RowForm(f, r), most(size_t(f.numbers[1])), first(static_cast<const edge_t*>(f.arrays[0])),
        begin(static_cast<const edge_t*>(f.arrays[1])), far(static_cast<const node_t*>(f.arrays[2])) {}

  IRGL_DEVICE size_t unit() const { return most; }
  IRGL_DEVICE Row row(node_t n) const { return {begin[first[n]], begin[first[n + 1]]}; }

  struct Reader {
    IRGL_DEVICE Placed at(const split& f, const Row& row, size_t k) const { return {row.at(k), f.far[row.at(k)]}; }
  };
};

}  // namespace forms
}  // namespace irgl
