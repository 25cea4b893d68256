// The other way round.
#pragma once
#include "detail/run.h"
#include "detail/usual.h"

namespace thrust {

template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void reverse(const P& p, I first, I last) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  using Value = typename std::iterator_traits<decltype(a)>::value_type;
  detail::each(p, "thrust::reverse", n / 2, [=](long i) IRGL_EMU_BODY {
    const Value v = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = v;
  });
}
IRGL_EMU_ANYWHERE(reverse)

template <class P, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O reverse_copy(const P& p, I first, I last, O to) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::reverse_copy", n, [=](long i) IRGL_EMU_BODY { o[i] = a[n - 1 - i]; });
  return to + n;
}
IRGL_EMU_ANYWHERE(reverse_copy)

}  // namespace thrust
