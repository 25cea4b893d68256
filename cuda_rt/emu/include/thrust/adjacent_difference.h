// Each element and the one before it.
#pragma once
#include "detail/run.h"
#include "detail/usual.h"
#include "functional.h"

namespace thrust {

template <class P, class I, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O adjacent_difference(const P& p, I first, I last, O to, F f) {
  const long n = last - first;
  if (n <= 0) return to;
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  using Value = typename std::iterator_traits<decltype(a)>::value_type;
  detail::once(p, "thrust::adjacent_difference", [=]() IRGL_EMU_BODY {
    Value before = a[0];
    o[0] = before;
    for (long i = 1; i < n; i++) {
      const Value now = a[i];
      o[i] = f(now, before);
      before = now;
    }
    return 0;
  });
  return to + n;
}
template <class P, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O adjacent_difference(const P& p, I first, I last, O to) {
  return thrust::adjacent_difference(p, first, last, to, minus<>());
}
IRGL_EMU_ANYWHERE(adjacent_difference)

}  // namespace thrust
