// Properties of a graph's nodes side by side, as a plan's pack says: of each node one Together, which has them as members.
//
//     struct Together { double a; int32_t b; };
//     struct Other { int32_t a; alignas(irgl::unit_of<T>) T b; };     a struct that atomics take at once is aligned so
//     irgl::Pack<Together> pack(n);                               their memory, for one call
//     irgl::Packed<double, Together> a(pack, offsetof(Together, a));   a[v] is node v's, as of an array
//     irgl::fill(c, a, n, 0), irgl::copy(c, a, n, from), irgl::copy(c, to, n, a)      as arrays are filled and copied
#pragma once
#include <stddef.h>

#include "fill.hpp"

namespace irgl {

template <class T>
constexpr size_t unit_of = sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0 ? sizeof(T) : alignof(T);

template <class Together>
struct Pack {
  explicit Pack(size_t n = 0) : values(n + 1) {}  // one more, so that there is a place to count from
  Array<Together> values;
};

template <class T, class Together>
struct Packed {
  char* first = nullptr;
  Packed() = default;
  Packed(Pack<Together>& pack, size_t offset) : first(reinterpret_cast<char*>(pack.values.data()) + offset) {}
  template <class I>
  IRGL_INLINE T& operator[](I node) const {
    return *reinterpret_cast<T*>(first + size_t(node) * sizeof(Together));
  }
};

template <class T, class Together>
inline void fill(Runtime& c, Packed<T, Together> data, size_t count, same_t<T> value) {
  for_each(c, range<size_t>(0, count), [=](Thread&, auto&, size_t i) { data[i] = value; });
}
template <class T, class Together>
inline void copy(Runtime& c, Packed<T, Together> data, size_t count, const T* from) {
  for_each(c, range<size_t>(0, count), [=](Thread&, auto&, size_t i) { data[i] = from[i]; });
}
template <class T, class Together>
inline void copy(Runtime& c, T* data, size_t count, Packed<T, Together> from) {
  for_each(c, range<size_t>(0, count), [=](Thread&, auto&, size_t i) { data[i] = from[i]; });
}

}  // namespace irgl
