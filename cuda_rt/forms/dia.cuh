// dia: diagonals without ids, and the other edges with both of their ends (irgl/forms/dia.py). A lane has a row: a warp
// takes the diagonals one after the other, neighbouring places of each, and then each lane the rest of its row.
#pragma once
#include "../swept.cuh"

namespace irgl {
namespace forms {

struct dia : FormData {
  static constexpr bool shared = false;
  struct Diagonal { edge_t offset, bits, place; };  // bits: its first word, -1: it is full
  edge_t diagonals = 0, rows = 0, places = 0;
  const edge_t* begin = nullptr;  // of each part: its first edge of the rest
  const Diagonal* diagonal = nullptr;
  const uint64_t* bits = nullptr;
  const node_t *near = nullptr, *ends = nullptr;
  dia() = default;
  explicit dia(const irgl_form& f)
      : FormData(f), diagonals(edge_t(f.numbers[1])), rows(edge_t(f.numbers[2])), places(edge_t(f.numbers[3])),
        begin(static_cast<const edge_t*>(f.arrays[1])), diagonal(static_cast<const Diagonal*>(f.arrays[2])),
        bits(static_cast<const uint64_t*>(f.arrays[3])), near(static_cast<const node_t*>(f.arrays[4])),
        ends(static_cast<const node_t*>(f.arrays[5])) {}

  IRGL_DEVICE node_t node(size_t row) const { return node_t(row); }
  // The first edge of the rest, from one to another, whose near end is that or a later one.
  IRGL_DEVICE edge_t rest_from(edge_t lo, edge_t hi, edge_t row) const {
    while (lo < hi) {
      const edge_t middle = lo + (hi - lo) / 2;
      if (edge_t(near[middle]) < row) lo = middle + 1;
      else hi = middle;
    }
    return lo;
  }

  struct Lane {
    const dia& form;
    edge_t row = 0, length = 0, k = 0, offset = 0, rest = 0;
    IRGL_DEVICE Lane(const dia& f, size_t of) : form(f) {
      if (of >= size_t(f.rows)) return;
      row = edge_t(of);
      const edge_t lo = f.begin[of / block_size], hi = f.begin[of / block_size + 1];
      rest = f.rest_from(lo, hi, row);
      length = f.diagonals + (f.rest_from(rest, hi, row + 1) - rest);
    }
    IRGL_DEVICE bool next(edge_t& place) {
      if (k >= length) return false;
      if (k >= form.diagonals) return place = form.places + rest + (k++ - form.diagonals), true;
      const Diagonal d = form.diagonal[k++];
      const edge_t at = row - (d.offset < 0 ? -d.offset : 0);  // places go from the first row that it has
      offset = d.offset;
      place = d.place + at;
      if (at < 0 || row + offset >= form.rows) return false;
      return d.bits < 0 || (form.bits[d.bits + (at >> 6)] >> (at & 63) & 1) != 0;
    }
    IRGL_DEVICE node_t far(edge_t place) const {
      return place < form.places ? node_t(row + offset) : form.ends[place - form.places];
    }
  };
};

}  // namespace forms
}  // namespace irgl
