// ell: a fixed number of places for each node's edges, 32 nodes' k-th ones side by side, and what a node has beyond
// (irgl/forms/ell.py).
#pragma once
#include "../row_form.cuh"

namespace irgl {
namespace forms {

struct ell : RowForm {
  static constexpr edge_t slab = 32;
  edge_t width = 1, places = 0;
  const edge_t* beyond = nullptr;  // of each slab: where the rest of its nodes' edges begins behind all places
  const node_t* far = nullptr;
  ell() = default;
  ell(const irgl_form& f, const Rows& r)
      : RowForm(f, r), width(edge_t(f.numbers[0])), places(edge_t(f.numbers[1])),
        beyond(static_cast<const edge_t*>(f.arrays[0])), far(static_cast<const node_t*>(f.arrays[1])) {}

  struct Row {
    edge_t count = 0, first = 0, rest = 0;  // edges, the first one's place, and where the rest would begin at edge 0
    IRGL_DEVICE size_t size() const { return size_t(count); }
  };
  IRGL_DEVICE Row row(node_t n) const {
    const edge_t count = degree(rows, n), first = edge_t(n) / slab * slab * width + edge_t(n) % slab;
    if (count <= width) return {count, first, 0};
    edge_t rest = places + beyond[edge_t(n) / slab] - width;
    for (node_t v = node_t(edge_t(n) / slab * slab); v < n; ++v) {
      const edge_t more = degree(rows, v) - width;
      rest += more > 0 ? more : 0;
    }
    return {count, first, rest};
  }

  struct Reader {
    IRGL_DEVICE Placed at(const ell& f, const Row& row, size_t k) const {
      const edge_t place = edge_t(k) < f.width ? row.first + edge_t(k) * slab : row.rest + edge_t(k);
      return {place, f.far[place]};
    }
  };
};

}  // namespace forms
}  // namespace irgl
