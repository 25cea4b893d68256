// New elements with one value in memory that has none.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class N, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I uninitialized_fill_n(const P& p, I first, N n, const T& value) {
  auto a = detail::raw(p, first);
  const T v = value;
  using Value = typename std::iterator_traits<decltype(a)>::value_type;
  detail::each(p, "thrust::uninitialized_fill", n, [=](long i) IRGL_EMU_BODY { ::new ((void*)&a[i]) Value(v); });
  return first + n;
}
IRGL_EMU_ANYWHERE(uninitialized_fill_n)

template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void uninitialized_fill(const P& p, I first, I last, const T& value) {
  thrust::uninitialized_fill_n(p, first, last - first, value);
}
IRGL_EMU_ANYWHERE(uninitialized_fill)

}  // namespace thrust
