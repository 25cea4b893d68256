// ell: a fixed number of places for each node's edges, and what it has beyond (irgl/forms/ell.py).
#pragma once
#include "../row_form.hpp"

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

  IRGL_INLINE edge_t first_of(node_t n) const { return edge_t(n) / slab * slab * width + edge_t(n) % slab; }
  // Where the edges of a node would stand behind all places, if it had any.
  IRGL_INLINE edge_t rest_of(node_t n) const {
    edge_t at = places + beyond[edge_t(n) / slab];
    for (node_t v = node_t(edge_t(n) / slab * slab); v < n; ++v) {
      const edge_t more = degree(rows, v) - width;
      at += more > 0 ? more : 0;
    }
    return at;
  }
};

struct EllRow : Unweighted {
  using item = Placed;
  ell form;
  node_t near;
  IRGL_INLINE size_t size() const { return size_t(degree(form.rows, near)); }
  size_t cost() const { return 1; }
  size_t work(size_t) const { return size(); }
  size_t cut(size_t chunks, size_t k) const { return cut_at(size(), 1, chunks, k); }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    const size_t width = size_t(form.width), within = to < width ? to : width;
    size_t k = from;
    for (edge_t place = form.first_of(near) + edge_t(k) * ell::slab; k < within; ++k, place += ell::slab)
      f(Placed{place, form.far[place]});
    if (k >= to) return;
    for (edge_t place = form.rest_of(near) + edge_t(k - width); k < to; ++k, ++place) f(Placed{place, form.far[place]});
  }
};

}  // namespace forms

IRGL_INLINE forms::EllRow edges(const forms::ell& f, node_t n) { return {{}, f, n}; }
IRGL_INLINE void prefetch_row(const forms::ell& f, node_t n) { __builtin_prefetch(f.rows.row + n); }
IRGL_INLINE void prefetch_edges(const forms::ell& f, node_t n) { __builtin_prefetch(f.far + f.first_of(n)); }

}  // namespace irgl
