// Copies: memory for values that a sweep copies to its edges' places before it takes them.
//
//     F.copies = irgl::Copies(c, edges, bytes);    on the host, of a form that has any: so many bytes for each edge
//     float* const p = irgl::copies<float>(F, 4);  behind arrays that take 4 bytes for each edge; not initialised
#pragma once
#include "form.cuh"

namespace irgl {

struct Copies {
  char* data = nullptr;
  size_t room = 0;  // places of an array, so many that the next one is aligned
  Copies() = default;
  template <class C>
  Copies(C& c, size_t edges, size_t bytes)
      : data(c.template property<char>(nullptr, (edges + 7) / 8 * 8 * bytes)), room((edges + 7) / 8 * 8) {}
};
template <class T, class F>
IRGL_DEVICE T* copies(const F& form, size_t before) {
  return reinterpret_cast<T*>(form.copies.data + form.copies.room * before);
}

}  // namespace irgl
