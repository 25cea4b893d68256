// Sums of a function's values so far.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class O, class U, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O transform_inclusive_scan(const P& p, I first, I last, O to, U map, F f) {
  const long n = last - first;
  if (n <= 0) return to;
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  using Sum = detail::bare<decltype(map(std::declval<typename std::iterator_traits<decltype(a)>::value_type>()))>;
  detail::once(p, "thrust::inclusive_scan", [=]() IRGL_EMU_BODY {
    Sum sum = map(detail::given(a[0]));
    o[0] = sum;
    for (long i = 1; i < n; i++) {
      sum = f(sum, map(detail::given(a[i])));
      o[i] = sum;
    }
    return 0;
  });
  return to + n;
}
template <class P, class I, class O, class U, class T, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O transform_inclusive_scan(const P& p, I first, I last, O to, U map, T init, F f) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  using Sum = detail::bare<decltype(f(init, map(detail::given(a[0]))))>;
  detail::once(p, "thrust::inclusive_scan", [=]() IRGL_EMU_BODY {
    Sum sum = init;
    for (long i = 0; i < n; i++) {
      sum = f(sum, map(detail::given(a[i])));
      o[i] = sum;
    }
    return 0;
  });
  return to + n;
}
IRGL_EMU_ANYWHERE(transform_inclusive_scan)

template <class P, class I, class O, class U, class T, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O transform_exclusive_scan(const P& p, I first, I last, O to, U map, T init, F f) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  detail::once(p, "thrust::exclusive_scan", [=]() IRGL_EMU_BODY {
    T sum = init;
    for (long i = 0; i < n; i++) {
      const T now = sum;
      sum = f(sum, map(detail::given(a[i])));
      o[i] = now;
    }
    return 0;
  });
  return to + n;
}
IRGL_EMU_ANYWHERE(transform_exclusive_scan)

}  // namespace thrust
