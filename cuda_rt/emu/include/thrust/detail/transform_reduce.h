// The sum of a function's values.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class U, class T, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER T transform_reduce(const P& p, I first, I last, U map, T init, F f) {
  const long n = last - first;
  if (n <= 0) return init;
  auto a = detail::raw(p, first);
  return detail::result(p, "thrust::transform_reduce", [=]() IRGL_EMU_BODY {
    T sum = init;
    for (long i = 0; i < n; i++) sum = f(sum, map(detail::given(a[i])));
    return sum;
  });
}
IRGL_EMU_ANYWHERE(transform_reduce)

}  // namespace thrust
