// Copies into memory that has no elements.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class N, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O uninitialized_copy_n(const P& p, I first, N n, O to) {
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  using Value = typename std::iterator_traits<decltype(o)>::value_type;
  detail::each(p, "thrust::uninitialized_copy", n, [=](long i) IRGL_EMU_BODY { ::new ((void*)&o[i]) Value(a[i]); });
  return to + n;
}
IRGL_EMU_ANYWHERE(uninitialized_copy_n)

template <class P, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O uninitialized_copy(const P& p, I first, I last, O to) {
  return thrust::uninitialized_copy_n(p, first, last - first, to);
}
IRGL_EMU_ANYWHERE(uninitialized_copy)

}  // namespace thrust
