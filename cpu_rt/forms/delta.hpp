// delta: rows in ascending order, as gaps in byte codes (irgl/forms/delta.py says which). 64 edges at a time are decoded
// into a buffer, four by one shuffle where the processor has it.
#pragma once
#include "coded.hpp"
#include "delta_code.hpp"

namespace irgl {
namespace forms {

struct delta : coded {
  const delta_::Table* table = nullptr;
  uint32_t least = 0;
  delta() = default;
  delta(const irgl_form& f, const Rows& r)
      : coded(f, r), table(&delta_::tables[f.numbers[0]]), least(uint32_t(f.numbers[1])) {}
};

struct DeltaRow : CodedRow<delta, delta_::stretch> {
  using CodedRow::CodedRow;
  static constexpr bool in_fours = true;
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    uint32_t far[delta_::stretch];
    if (from >= to) return;
    const uint8_t* p = start(from / delta_::stretch);
    for (size_t at = from / delta_::stretch * delta_::stretch; at < to; at += delta_::stretch) {
      const size_t here = to - at < delta_::stretch ? to - at : delta_::stretch;
      p = delta_::decode(p, *form.table, form.least, uint32_t(near), here, far);
      for (size_t i = from > at ? from - at : 0; i < here; ++i) f(Placed{first + edge_t(at + i), node_t(far[i])});
    }
  }
  template <class F>
  IRGL_INLINE size_t visit_fours(F&& f) const {
    uint32_t far[delta_::stretch];
    const size_t to = count / delta_::stretch * delta_::stretch;
    const uint8_t* p = start(0);
    for (size_t at = 0; at < to; at += delta_::stretch) {
      p = delta_::decode(p, *form.table, form.least, uint32_t(near), delta_::stretch, far);
      for (size_t i = 0; i < delta_::stretch; i += 4) {
        const edge_t e = first + edge_t(at + i);
        f(Placed{e, node_t(far[i])}, Placed{e + 1, node_t(far[i + 1])}, Placed{e + 2, node_t(far[i + 2])},
          Placed{e + 3, node_t(far[i + 3])});
      }
    }
    return to;
  }

 private:
  // Where a stretch's codes begin; before the first stand the distances to the others.
  IRGL_INLINE const uint8_t* start(size_t k) const {
    const uint8_t* own = bytes();
    if (count <= delta_::stretch) return own;
    const uint8_t* codes = own + 4 * ((count - 1) / delta_::stretch);
    return k == 0 ? codes : codes + delta_::word(own + 4 * (k - 1));
  }
};

}  // namespace forms

IRGL_INLINE forms::DeltaRow edges(const forms::delta& f, node_t n) { return {f, n}; }

}  // namespace irgl
