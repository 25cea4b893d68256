// A function of each element, or of two elements, or of those that a predicate chooses.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O transform(const P& p, I first, I last, O to, F f) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::transform", n, [=](long i) IRGL_EMU_BODY { o[i] = f(detail::given(a[i])); });
  return to + n;
}
template <class P, class I, class J, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O transform(const P& p, I first, I last, J other, O to, F f) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto b = detail::raw(p, other);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::transform", n,
               [=](long i) IRGL_EMU_BODY { o[i] = f(detail::given(a[i]), detail::given(b[i])); });
  return to + n;
}
IRGL_EMU_ANYWHERE(transform)

template <class P, class I, class O, class F, class W, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O transform_if(const P& p, I first, I last, O to, F f, W wanted) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::transform_if", n, [=](long i) IRGL_EMU_BODY {
    if (wanted(detail::given(a[i]))) o[i] = f(detail::given(a[i]));
  });
  return to + n;
}
template <class P, class I, class S, class O, class F, class W, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O transform_if(const P& p, I first, I last, S stencil, O to, F f, W wanted) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto s = detail::raw(p, stencil);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::transform_if", n, [=](long i) IRGL_EMU_BODY {
    if (wanted(detail::given(s[i]))) o[i] = f(detail::given(a[i]));
  });
  return to + n;
}
template <class P, class I, class J, class S, class O, class F, class W, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O transform_if(const P& p, I first, I last, J other, S stencil, O to, F f, W wanted) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto b = detail::raw(p, other);
  auto s = detail::raw(p, stencil);
  auto o = detail::raw(p, to);
  detail::each(p, "thrust::transform_if", n, [=](long i) IRGL_EMU_BODY {
    if (wanted(detail::given(s[i]))) o[i] = f(detail::given(a[i]), detail::given(b[i]));
  });
  return to + n;
}
IRGL_EMU_ANYWHERE(transform_if)

}  // namespace thrust
