// Lists and arrays that the caller gives: their items lie at params[index], and params[count] says how many they are.
//
//     irgl::take(list, c, args, index, count);     the nodes join the list, in their order
//     irgl::take(array, c, args, index, count);    the array has the caller's memory, which the program doesn't change
#pragma once
#include "array.hpp"
#include "unit.hpp"

namespace irgl {

template <class L>
void take(L& list, UnitRuntime& c, const irgl_run_args* a, int index, int count) {
  const auto* const items = static_cast<const typename L::item*>(a->params[index]);
  const int64_t size = param<int64_t>(a, count);
  for (int64_t i = 0; i < size; ++i) list.push(c.host(), items[i]);
}
template <class T>
void take(array<T>& to, UnitRuntime&, const irgl_run_args* a, int index, int count) {
  to.borrow(static_cast<T*>(a->params[index]), size_t(param<int64_t>(a, count)));
}

}  // namespace irgl
