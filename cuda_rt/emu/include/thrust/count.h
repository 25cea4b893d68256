// How many elements are equal to a value, or as a predicate wants them.
#pragma once
#include "detail/run.h"
#include "detail/usual.h"

namespace thrust {

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER auto count_if(const P& p, I first, I last, F wanted) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  using Count = typename std::iterator_traits<I>::difference_type;
  if (n <= 0) return Count(0);
  return detail::result(p, "thrust::count_if", [=]() IRGL_EMU_BODY {
    Count found = 0;
    for (long i = 0; i < n; i++) found += wanted(detail::given(a[i])) ? 1 : 0;
    return found;
  });
}
IRGL_EMU_ANYWHERE(count_if)

template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER auto count(const P& p, I first, I last, const T& value) {
  const T v = value;
  return thrust::count_if(p, first, last, [=](const auto& e) { return e == v; });
}
IRGL_EMU_ANYWHERE(count)

}  // namespace thrust
