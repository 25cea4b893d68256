// The first element that is equal to a value, or is as a predicate wants it.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I find_if(const P& p, I first, I last, F wanted) {
  const long n = last - first;
  if (n <= 0) return last;
  auto a = detail::raw(p, first);
  return first + detail::result(p, "thrust::find_if", [=]() IRGL_EMU_BODY {
    long i = 0;
    while (i < n && !wanted(detail::given(a[i]))) i++;
    return i;
  });
}
IRGL_EMU_ANYWHERE(find_if)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I find_if_not(const P& p, I first, I last, F unwanted) {
  return thrust::find_if(p, first, last, [=](auto&& e) mutable { return !unwanted(e); });
}
IRGL_EMU_ANYWHERE(find_if_not)

template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I find(const P& p, I first, I last, const T& value) {
  const T v = value;
  return thrust::find_if(p, first, last, [=](const auto& e) { return e == v; });
}
IRGL_EMU_ANYWHERE(find)

}  // namespace thrust
