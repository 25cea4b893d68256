// A function for each element.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class N, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I for_each_n(const P& p, I first, N n, F f) {
  auto a = detail::raw(p, first);
  detail::each(p, "thrust::for_each", n, [=](long i) IRGL_EMU_BODY { f(detail::given(a[i])); });
  return first + n;
}
IRGL_EMU_ANYWHERE(for_each_n)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I for_each(const P& p, I first, I last, F f) {
  return thrust::for_each_n(p, first, last - first, f);
}
IRGL_EMU_ANYWHERE(for_each)

}  // namespace thrust
