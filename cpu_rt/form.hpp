// What all forms of edges have in common: they are made from the numbers and arrays that irgl/forms/NAME.py built, in its
// order, and beside them lies what irgl adds.
//
//     weight<T>(F, place)  number(F, place)   the weight of the edge at a place; its place among the rows
#pragma once
#include "abi.hpp"
#include "types.hpp"

namespace irgl {

struct FormData {
  const void* weights = nullptr;
  const edge_t* edge = nullptr;  // null: places are those of the rows
  FormData() = default;
  explicit FormData(const irgl_form& f)
      : weights(f.arrays[IRGL_FORM_WEIGHTS]), edge(static_cast<const edge_t*>(f.arrays[IRGL_FORM_EDGES])) {}
};
template <class T>
IRGL_INLINE T weight(const FormData& f, edge_t place) { return static_cast<const T*>(f.weights)[place]; }
IRGL_INLINE edge_t number(const FormData& f, edge_t place) { return f.edge != nullptr ? f.edge[place] : place; }

}  // namespace irgl
