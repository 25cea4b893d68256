// ef: Elias-Fano rows (irgl/forms/ef.py).
#pragma once
#include "coded.hpp"
#include "ef_code.hpp"

namespace irgl {
namespace forms {

struct ef : coded {
  unsigned id_bits = 0;
  size_t ahead = 0;
  ef() = default;
  ef(const irgl_form& f, const Rows& r)
      : coded(f, r), id_bits(unsigned(f.numbers[0])), ahead(size_t(f.numbers[1])) {}
};

struct EfRow : CodedRow<ef, ef_::stretch> {
  using CodedRow::CodedRow;
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    if (from >= to) return;
    ef_::decode(ef_::row_at(bytes(), form.id_bits, form.ahead, count), from, to,
                [&](size_t k, uint32_t far) __attribute__((always_inline)) { f(Placed{first + edge_t(k), node_t(far)}); });
  }
};

}  // namespace forms

IRGL_INLINE forms::EfRow edges(const forms::ef& f, node_t n) { return {f, n}; }

}  // namespace irgl
