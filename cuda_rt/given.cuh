// Lists and arrays that the caller gives, in the host's memory: params[index] is where, params[count] how many.
//
//     irgl::take(list, c, args, index, count);     the nodes join the list, in their order
//     irgl::take(array, c, args, index, count);    the array gets a copy
#pragma once
#include "array.cuh"
#include "list.cuh"

namespace irgl {

template <class L>
void take(L& list, Launcher& c, const irgl_run_args* a, int index, int count) {
  using T = typename L::item;
  const size_t size = size_t(param<int64_t>(a, count));
  if (size == 0) return;
  T* const there = c.allocate_array<T>(size);
  c.copy_in(there, a->params[index], size * sizeof(T));
  if (!c.failed()) list.update_from(c, ListItems<T>{there, nullptr, size, size});
  c.release(there);
}
template <class T>
void take(array<T>& to, Launcher&, const irgl_run_args* a, int index, int count) {
  to.take(static_cast<const T*>(a->params[index]), param<int64_t>(a, count));
}

}  // namespace irgl
