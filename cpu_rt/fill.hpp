// Arrays set and copied, by all threads when they are long.
#pragma once
#include "executor.hpp"

namespace irgl {

template <class T>
inline void fill(Runtime& c, T* data, size_t count, same_t<T> value) {
  for_each(c, range<size_t>(0, count), [=](Thread&, auto&, size_t i) { data[i] = value; });
}

template <class T>
inline void copy(Runtime& c, T* data, size_t count, const T* from) {
  for_each(c, range<size_t>(0, count), [=](Thread&, auto&, size_t i) { data[i] = from[i]; });
}

}  // namespace irgl
