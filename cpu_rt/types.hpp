// Ids, the graph view and small values that every other header uses.
//
// Widths are chosen per unit before the first include:  -DIRGL_NODE_BITS=32|64  -DIRGL_EDGE_BITS=32|64.
// A generated unit extends the view with its properties, and passes it by value:
//     struct Graph : irgl::Csr { int32_t* level; int32_t* weight; };
// Invariants of a Csr: row[0] == 0, row is non-decreasing, row[n] == m, 0 <= cols[e] < n. The same holds of in_row and
// in_cols when present (null otherwise). in_eid[p] is the out-edge that in-position p stands for; null means that
// in-position and edge id are the same number (an undirected graph whose transpose is itself shares row and cols, and
// then has no edge ids for in-edges unless in_eid is given).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>

#ifndef IRGL_NODE_BITS
#define IRGL_NODE_BITS 32
#endif
#ifndef IRGL_EDGE_BITS
#define IRGL_EDGE_BITS 32
#endif
#define IRGL_INLINE inline __attribute__((always_inline))
#define IRGL_NOINLINE __attribute__((noinline))

namespace irgl {

using node_t = std::conditional_t<IRGL_NODE_BITS == 64, int64_t, int32_t>;
using edge_t = std::conditional_t<IRGL_EDGE_BITS == 64, int64_t, int32_t>;

// The edges of one direction, row by row: the form that `format=csr` has (rows.hpp says what every form offers).
struct Rows {
  node_t n = 0;
  edge_t m = 0;
  const edge_t* row = nullptr;
  const node_t* cols = nullptr;
  const edge_t* eid = nullptr;
};

struct Csr {
  node_t n = 0;
  edge_t m = 0;
  const edge_t* row = nullptr;
  const node_t* cols = nullptr;
  const edge_t* in_row = nullptr;
  const node_t* in_cols = nullptr;
  const edge_t* in_eid = nullptr;
  const node_t* sources = nullptr;  // which node an edge leaves; null where nobody has looked them all up
  bool directed = true;  // false: with each edge stands its reverse, and the in-edges are the edges turned round

  IRGL_INLINE Rows out() const { return {n, m, row, cols, nullptr}; }
  IRGL_INLINE Rows in() const { return {n, m, in_row, in_cols, in_eid}; }
};

// What a reduction yields: the value before it, and whether the location now holds another one.
template <class T>
struct Reduced {
  T old;
  bool changed;
};

// The largest and the smallest value of a number type; INF of the language is highest<T>(), or infinity for a float.
template <class T>
constexpr T highest() {
  if constexpr (std::is_same_v<T, float>) return __builtin_inff();
  else if constexpr (std::is_same_v<T, double>) return __builtin_inf();
  else if constexpr (std::is_same_v<T, bool>) return true;
  else if constexpr (std::is_signed_v<T>) return T(~(std::make_unsigned_t<T>(1) << (sizeof(T) * 8 - 1)));
  else return T(~T(0));
}
template <class T>
constexpr T lowest() {
  if constexpr (std::is_floating_point_v<T>) return -highest<T>();
  else if constexpr (std::is_same_v<T, bool>) return false;
  else return T(~highest<T>());
}

// A mixing hash with a fixed meaning on every target: the finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
constexpr uint64_t hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace irgl
