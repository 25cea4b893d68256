// dia: diagonals without ids, and the other edges with both of their ends (irgl/forms/dia.py).
#pragma once
#include "../sweep.hpp"

namespace irgl {
namespace forms {

struct dia : Stretches {
  struct Diagonal { edge_t offset, bits, place; };  // bits: its first word, -1: it is full
  size_t diagonals = 0;
  edge_t rows = 0, places = 0;
  const edge_t* begin = nullptr;  // of each part: its first edge of the rest
  const Diagonal* diagonal = nullptr;
  const uint64_t* bits = nullptr;
  const node_t *near = nullptr, *far = nullptr;
  dia() = default;
  explicit dia(const irgl_form& f)
      : Stretches(f), diagonals(size_t(f.numbers[1])), rows(edge_t(f.numbers[2])),
        places(edge_t(f.numbers[3])), begin(static_cast<const edge_t*>(f.arrays[1])), diagonal(static_cast<const Diagonal*>(f.arrays[2])),
        bits(static_cast<const uint64_t*>(f.arrays[3])), near(static_cast<const node_t*>(f.arrays[4])),
        far(static_cast<const node_t*>(f.arrays[5])) {}
};

}  // namespace forms

IRGL_INLINE size_t work_of(const forms::dia& f) {
  return size_t(f.first[f.parts]) + size_t(f.places) + size_t(f.begin[f.parts]);
}
// Along a diagonal no node comes twice.
template <bool together = false, class Op>
IRGL_INLINE void each_edge(const forms::dia& f, Part p, Op&& op) {
  const edge_t first = f.first[p.index], last = f.first[p.index + 1];
  for (size_t k = 0; k < f.diagonals; ++k) {
    const forms::dia::Diagonal d = f.diagonal[k];
    const edge_t low = d.offset < 0 ? -d.offset : 0, high = d.offset < 0 ? f.rows : f.rows - d.offset;
    const edge_t from = first < low ? low : first, to = last < high ? last : high;
    auto one = [&](edge_t v) __attribute__((always_inline)) {
      op(node_t(v), size_t(v - first), node_t(v + d.offset), d.place + (v - low));
    };
    auto all = [&](edge_t v, edge_t end) __attribute__((always_inline)) {
      if constexpr (together) {  // by the far ends, of which the compiler then sees that they lie side by side
        const int64_t by = d.offset, begin = node_t(v + d.offset), stop = node_t(end + d.offset);
#pragma GCC ivdep
        for (int64_t w = begin; w < stop; ++w)
          op(node_t(w - by), size_t(w - by - first), node_t(w), edge_t(d.place + (w - by - low)));
      } else {
        for (; v < end; ++v) one(v);
      }
    };
    if (d.bits < 0) {
      all(from, to);
      continue;
    }
    const uint64_t* const bits = f.bits + d.bits;
    for (edge_t v = from; v < to;) {
      const edge_t at = v - low, left = 64 - (at & 63);
      edge_t end = to - v < left ? to : v + left;
      const uint64_t some = end - v < 64 ? (uint64_t(1) << (end - v)) - 1 : ~uint64_t(0);
      uint64_t word = bits[at >> 6] >> (at & 63) & some;
      if (word == some) {  // and so are most that follow
        while (to - end >= 64 && bits[(end - low) >> 6] == ~uint64_t(0)) end += 64;
        all(v, end);
      } else {
        for (; word != 0; word &= word - 1) one(v + edge_t(__builtin_ctzll(word)));
      }
      v = end;
    }
  }
  for (edge_t e = f.begin[p.index], end = f.begin[p.index + 1]; e < end; ++e)
    op(f.near[e], size_t(f.near[e] - first), f.far[e], f.places + e);
}

}  // namespace irgl
