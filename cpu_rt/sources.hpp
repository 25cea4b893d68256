// Which node each edge leaves, looked up for all edges at once where a program asks for many.
//
//     irgl::Sources sources;                               a unit's context has one
//     g.sources = sources.of(c, g, count);                 before a loop over count edges that asks each for its source
// A lookup is a search in the rows, log n steps at addresses that no cache foresees; the table is one pass over the
// rows. It is made when so many edges have been looped over that the lookups of the next will be dearer.
#pragma once
#include "executor.hpp"

namespace irgl {

class Sources {
 public:
  Sources() = default;
  const node_t* of(Runtime& c, const Csr& g, size_t count) {
    if (row_ != g.row) row_ = g.row, asked_ = 0, table_ = Array<node_t>();
    asked_ += count;
    if (table_.data() != nullptr) return table_.data();
    if (asked_ < size_t(g.m) / 16 || g.m == 0) return nullptr;
    table_ = Array<node_t>(size_t(g.m));
    node_t* const table = table_.data();
    for_each(c, by_degree(g.out(), nodes(g)), [=](Thread& t, auto& inner, node_t n) {
      inner.for_each(t, edges(g.out(), n), [=](Thread&, auto&, edge_t e) { table[e] = n; });
    });
    return table;
  }

 private:
  const edge_t* row_ = nullptr;
  size_t asked_ = 0;
  Array<node_t> table_;
};

}  // namespace irgl
