// Forms of edges: what irgl/forms/NAME.py built, as generated code sees it. swept.cuh and row_form.cuh say what is
// asked of the two kinds.
//
// Beside a form lies what irgl adds to it:
//     weight<T>(F, place)  number(F, place)   the weight of the edge at a place; its place among the rows
#pragma once
#include "nested.cuh"

namespace irgl {

// What a form is made from: its numbers and arrays, in their order.
struct FormData {
  const void* weights = nullptr;
  const edge_t* edge = nullptr;  // null: places are those of the rows
  FormData() = default;
  explicit FormData(const irgl_form& f)
      : weights(f.arrays[IRGL_FORM_WEIGHTS]), edge(static_cast<const edge_t*>(f.arrays[IRGL_FORM_EDGES])) {}
};
template <class T>
IRGL_DEVICE T weight(const FormData& f, edge_t place) { return static_cast<const T*>(f.weights)[place]; }
IRGL_DEVICE edge_t number(const FormData& f, edge_t place) { return f.edge != nullptr ? f.edge[place] : place; }

}  // namespace irgl
