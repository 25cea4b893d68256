// Two ranges change places.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class J, class = detail::if_policy<P>>
IRGL_EMU_MEMBER J swap_ranges(const P& p, I first, I last, J other) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto b = detail::raw(p, other);
  using Value = typename std::iterator_traits<decltype(a)>::value_type;
  detail::each(p, "thrust::swap_ranges", n, [=](long i) IRGL_EMU_BODY {
    const Value v = a[i];
    a[i] = b[i];
    b[i] = v;
  });
  return other + n;
}
IRGL_EMU_ANYWHERE(swap_ranges)

}  // namespace thrust
