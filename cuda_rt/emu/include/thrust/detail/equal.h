// Whether two ranges are equal.
#pragma once
#include "../functional.h"
#include "run.h"

namespace thrust {

template <class P, class I, class J, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER bool equal(const P& p, I first, I last, J other, F same) {
  const long n = last - first;
  if (n <= 0) return true;
  auto a = detail::raw(p, first);
  auto b = detail::raw(p, other);
  return detail::result(p, "thrust::equal", [=]() IRGL_EMU_BODY {
    for (long i = 0; i < n; i++) {
      if (!same(detail::given(a[i]), detail::given(b[i]))) return false;
    }
    return true;
  });
}
template <class P, class I, class J, class = detail::if_policy<P>>
IRGL_EMU_MEMBER bool equal(const P& p, I first, I last, J other) {
  return thrust::equal(p, first, last, other, equal_to<>());
}
IRGL_EMU_ANYWHERE(equal)

}  // namespace thrust
