// Elements to where a map says.
#pragma once
#include "../functional.h"
#include "run.h"

namespace thrust {

template <class P, class I, class M, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void scatter(const P& p, I first, I last, M map, O to) {
  auto a = detail::raw(p, first);
  auto m = detail::raw(p, map);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::scatter", last - first, [=](long i) IRGL_EMU_BODY { o[m[i]] = a[i]; });
}
IRGL_EMU_ANYWHERE(scatter)

template <class P, class I, class M, class S, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void scatter_if(const P& p, I first, I last, M map, S stencil, O to, F wanted) {
  auto a = detail::raw(p, first);
  auto m = detail::raw(p, map);
  auto s = detail::raw(p, stencil);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::scatter_if", last - first, [=](long i) IRGL_EMU_BODY {
    if (wanted(detail::given(s[i]))) o[m[i]] = a[i];
  });
}
template <class P, class I, class M, class S, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void scatter_if(const P& p, I first, I last, M map, S stencil, O to) {
  thrust::scatter_if(p, first, last, map, stencil, to, identity<>());
}
IRGL_EMU_ANYWHERE(scatter_if)

}  // namespace thrust
