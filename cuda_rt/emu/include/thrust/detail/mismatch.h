// Where two ranges differ first.
#pragma once
#include "../functional.h"
#include "../pair.h"
#include "run.h"

namespace thrust {

template <class P, class I, class J, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<I, J> mismatch(const P& p, I first, I last, J other, F same) {
  const long n = last - first;
  if (n <= 0) return pair<I, J>(first, other);
  auto a = detail::raw(p, first);
  auto b = detail::raw(p, other);
  const long at = detail::result(p, "thrust::mismatch", [=]() IRGL_EMU_BODY {
    long i = 0;
    while (i < n && same(detail::given(a[i]), detail::given(b[i]))) i++;
    return i;
  });
  return pair<I, J>(first + at, other + at);
}
template <class P, class I, class J, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<I, J> mismatch(const P& p, I first, I last, J other) {
  return thrust::mismatch(p, first, last, other, equal_to<>());
}
IRGL_EMU_ANYWHERE(mismatch)

}  // namespace thrust
