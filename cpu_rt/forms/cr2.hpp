// cr2: pieces of 1 to 32 edges, inside clusters by short ids, across by ids of nodes (irgl/forms/cr2.py). With pointers
// from nodes to pieces it serves as rows, without them part by part.
#pragma once
#include <algorithm>

#include "../row_form.hpp"
#include "../sweep.hpp"

namespace irgl {
namespace forms {

struct cr2 : RowForm {
  static constexpr int lengths = 6;
  int bits = 16;
  node_t part = 1;
  edge_t inside = 0;
  size_t clusters = 0;
  const void *near_here = nullptr, *far_here = nullptr;
  const node_t *near_across = nullptr, *far_across = nullptr;
  const edge_t *starts = nullptr, *begins = nullptr, *pointed = nullptr;  // of the table
  const uint32_t* pointers = nullptr;
  cr2() = default;
  cr2(const irgl_form& f, const Rows& r)
      : RowForm(f, r), bits(int(f.numbers[0])), part(node_t(f.numbers[2])), inside(edge_t(f.numbers[3])),
        clusters(size_t(f.numbers[1])), near_here(f.arrays[0]), far_here(f.arrays[1]),
        near_across(static_cast<const node_t*>(f.arrays[2])), far_across(static_cast<const node_t*>(f.arrays[3])),
        starts(static_cast<const edge_t*>(f.arrays[4])), begins(starts + lengths * (clusters + 1)),
        pointed(begins + 4 * (lengths + 1)), pointers(static_cast<const uint32_t*>(f.arrays[5])) {}

  IRGL_INLINE node_t local(const void* ids, edge_t at) const {
    return bits == 8 ? node_t(static_cast<const uint8_t*>(ids)[at]) : node_t(static_cast<const uint16_t*>(ids)[at]);
  }
  IRGL_INLINE edge_t piece(int kind, int d) const { return begins[kind * 2 * (lengths + 1) + d]; }
  IRGL_INLINE edge_t place(int kind, int d) const { return begins[(kind * 2 + 1) * (lengths + 1) + d]; }
  // Calls op(far, place) for edges of a piece, the p-th of its kind and length.
  template <class Op>
  IRGL_INLINE void each(int kind, int d, edge_t p, edge_t from, edge_t to, node_t cluster, Op&& op) const {
    const edge_t begin = place(kind, d) + (p << d);
    for (edge_t at = begin + from; at < begin + to; ++at) {
      if (kind != 0) op(far_across[at], inside + at);
      else op(cluster | local(far_here, at), at);
    }
  }
};

struct Cr2Row : Unweighted {
  using item = Placed;
  cr2 form;
  node_t near;
  IRGL_INLINE size_t size() const { return size_t(degree(form.rows, near)); }
  size_t cost() const { return 1; }
  size_t work(size_t) const { return size(); }
  size_t cut(size_t chunks, size_t k) const { return cut_at(size(), 32, chunks, k); }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    const node_t cluster = near >> form.bits;
    size_t at = 0;
    for (const uint32_t* p = form.pointers + form.pointed[near]; at < to; ++p) {
      const int kind = int(*p >> 31), d = int(*p >> 28 & 7);
      const size_t count = size_t(1) << d, begin = at;
      at += count;
      if (at <= from) continue;
      const edge_t number = edge_t(*p & ((1u << 28) - 1));
      form.each(kind, d, kind != 0 ? number : number + form.starts[size_t(d) * (form.clusters + 1) + size_t(cluster)],
                edge_t(begin < from ? from - begin : 0), edge_t(at > to ? to - begin : count), cluster << form.bits,
                [&](node_t far, edge_t e) __attribute__((always_inline)) { f(Placed{e, far}); });
    }
  }
};

}  // namespace forms

IRGL_INLINE forms::Cr2Row edges(const forms::cr2& f, node_t n) { return {{}, f, n}; }
IRGL_INLINE void prefetch_row(const forms::cr2& f, node_t n) { __builtin_prefetch(f.pointed + n); }
IRGL_INLINE void prefetch_edges(const forms::cr2& f, node_t n) { __builtin_prefetch(f.pointers + f.pointed[n]); }

IRGL_INLINE size_t part_count(const forms::cr2& f) { return (size_t(f.rows.n) + size_t(f.part) - 1) / size_t(f.part); }
IRGL_INLINE size_t rows_in(const forms::cr2& f, Part p) {
  const size_t first = p.index * size_t(f.part), left = size_t(f.rows.n) - first;
  return left < size_t(f.part) ? left : size_t(f.part);
}
IRGL_INLINE size_t work_of(const forms::cr2& f) { return size_t(f.rows.n) + size_t(f.rows.m); }
template <class Op>
IRGL_INLINE void each_row(const forms::cr2& f, Part p, Op&& op) {
  const node_t first = node_t(p.index) * f.part;
  for (size_t k = 0; k < rows_in(f, p); ++k) op(first + node_t(k), k);
}
// Bases ascend: those of the part's nodes are searched for.
template <bool = false, class Op>
IRGL_INLINE void each_edge(const forms::cr2& f, Part part, Op&& op) {
  const node_t first = node_t(part.index) * f.part, end = first + node_t(rows_in(f, part));
  auto pieces = [&](int kind, int d, edge_t lo, edge_t hi, node_t cluster, auto&& base) __attribute__((always_inline)) {
    const edge_t all = hi;
    for (edge_t middle; lo < hi;) {
      middle = lo + (hi - lo) / 2;
      if (base(middle) < first) lo = middle + 1;
      else hi = middle;
    }
    for (; lo < all && base(lo) < end; ++lo) {
      const node_t n = base(lo);
      f.each(kind, d, lo, 0, edge_t(1) << d, cluster,
             [&](node_t far, edge_t at) __attribute__((always_inline)) { op(n, size_t(n - first), far, at); });
    }
  };
  for (int d = 0; d < f.lengths; ++d) {
    for (size_t c = size_t(first >> f.bits); node_t(c) << f.bits < end; ++c) {
      const edge_t* start = f.starts + size_t(d) * (f.clusters + 1) + c;
      const node_t cluster = node_t(c) << f.bits;
      pieces(0, d, start[0], start[1], cluster, [&](edge_t p) { return cluster | f.local(f.near_here, f.piece(0, d) + p); });
    }
    pieces(1, d, 0, f.piece(1, d + 1) - f.piece(1, d), 0, [&](edge_t p) { return f.near_across[f.piece(1, d) + p]; });
  }
}

}  // namespace irgl
