// split: pieces of at most so many edges of one node (irgl/forms/split.py). A thread walks a node's pieces as one row.
#pragma once
#include "../row_form.hpp"

namespace irgl {
namespace forms {

struct split : RowForm {
  const edge_t *first = nullptr, *begin = nullptr;  // of each node: its first piece; of each piece: its first edge
  const node_t* far = nullptr;
  split() = default;
  split(const irgl_form& f, const Rows& r)
      : RowForm(f, r), first(static_cast<const edge_t*>(f.arrays[0])), begin(static_cast<const edge_t*>(f.arrays[1])),
        far(static_cast<const node_t*>(f.arrays[2])) {}
};

struct SplitRow : Unweighted {
  using item = Placed;
  static constexpr bool indexed = true;
  const edge_t *begin, *end;  // of the node's pieces
  const node_t* far;
  IRGL_INLINE size_t size() const { return size_t(*end - *begin); }
  IRGL_INLINE Placed at(size_t p) const { return {edge_t(*begin + edge_t(p)), far[*begin + edge_t(p)]}; }
  size_t cost() const { return 1; }
  size_t work(size_t) const { return size(); }
  size_t cut(size_t chunks, size_t k) const {
    return k >= chunks ? size() : size_t(begin[size_t(end - begin) * k / chunks] - *begin);
  }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    for (edge_t e = *begin + edge_t(from), last = *begin + edge_t(to); e < last; ++e) f(Placed{e, far[e]});
  }
};

}  // namespace forms

IRGL_INLINE forms::SplitRow edges(const forms::split& f, node_t n) {
  return {{}, f.begin + f.first[n], f.begin + f.first[n + 1], f.far};
}
IRGL_INLINE void prefetch_row(const forms::split& f, node_t n) { __builtin_prefetch(f.first + n); }
IRGL_INLINE void prefetch_edges(const forms::split& f, node_t n) { __builtin_prefetch(f.begin + f.first[n]); }

}  // namespace irgl
