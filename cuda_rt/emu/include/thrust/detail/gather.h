// Elements from where a map says.
#pragma once
#include "../functional.h"
#include "run.h"

namespace thrust {

template <class P, class M, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O gather(const P& p, M first, M last, I from, O to) {
  const long n = last - first;
  auto m = detail::raw(p, first);
  auto a = detail::raw(p, from);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::gather", n, [=](long i) IRGL_EMU_BODY { o[i] = a[m[i]]; });
  return to + n;
}
IRGL_EMU_ANYWHERE(gather)

template <class P, class M, class S, class I, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O gather_if(const P& p, M first, M last, S stencil, I from, O to, F wanted) {
  const long n = last - first;
  auto m = detail::raw(p, first);
  auto s = detail::raw(p, stencil);
  auto a = detail::raw(p, from);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::gather_if", n, [=](long i) IRGL_EMU_BODY {
    if (wanted(detail::given(s[i]))) o[i] = a[m[i]];
  });
  return to + n;
}
template <class P, class M, class S, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O gather_if(const P& p, M first, M last, S stencil, I from, O to) {
  return thrust::gather_if(p, first, last, stencil, from, to, identity<>());
}
IRGL_EMU_ANYWHERE(gather_if)

}  // namespace thrust
