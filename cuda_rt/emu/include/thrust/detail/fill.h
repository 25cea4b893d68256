// One value for all elements.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class N, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I fill_n(const P& p, I first, N n, const T& value) {
  auto a = detail::raw(p, first);
  const T v = value;
  detail::each(p, "thrust::fill", n, [=](long i) IRGL_EMU_BODY { a[i] = v; });
  return first + n;
}
IRGL_EMU_ANYWHERE(fill_n)

template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void fill(const P& p, I first, I last, const T& value) {
  thrust::fill_n(p, first, last - first, value);
}
IRGL_EMU_ANYWHERE(fill)

}  // namespace thrust
