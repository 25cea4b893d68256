// A case is a function with a name; ./cases NAME runs it and exits 0, or says what did not hold and exits 1.
#pragma once
#include <stdio.h>

#include "irgl.hpp"

using irgl::edge_t;
using irgl::node_t;

#define CHECK(holds) \
  if (!(holds)) printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds), exit(1)

struct Case {
  const char* name;
  void (*run)();
  Case* next;
  static Case*& first() {
    static Case* head = nullptr;
    return head;
  }
  Case(const char* n, void (*f)()) : name(n), run(f), next(first()) { first() = this; }
};
#define CASE(name)                          \
  static void name();                       \
  static Case case_##name(#name, name);     \
  static void name()

// A graph whose node 0 has an edge to every other node, and node v > 0 one edge to 0.
struct Star : irgl::Csr {
  irgl::Array<edge_t> rows;
  irgl::Array<node_t> columns;
  explicit Star(node_t leaves) : rows(size_t(leaves) + 2), columns(size_t(leaves) * 2) {
    n = leaves + 1;
    m = 2 * leaves;
    rows[0] = 0;
    for (node_t v = 1; v <= n; ++v) rows[size_t(v)] = leaves + v - 1;
    for (node_t v = 0; v < leaves; ++v) columns[size_t(v)] = v + 1, columns[size_t(leaves + v)] = 0;
    row = in_row = rows.data();
    cols = in_cols = columns.data();
  }
  const Csr& view() const { return *this; }
};
