// Other values in place of some.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class S, class O, class F, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O replace_copy_if(const P& p, I first, I last, S stencil, O to, F unwanted, const T& value) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto s = detail::raw(p, stencil);
  auto o = detail::raw(p, to);
  const T v = value;
  using Value = typename std::iterator_traits<decltype(a)>::value_type;
  detail::each(p, "thrust::replace_copy_if", n, [=](long i) IRGL_EMU_BODY {
    if (unwanted(detail::given(s[i]))) {
      o[i] = v;
    } else {
      o[i] = static_cast<Value>(a[i]);
    }
  });
  return to + n;
}
template <class P, class I, class O, class F, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O replace_copy_if(const P& p, I first, I last, O to, F unwanted, const T& value) {
  return thrust::replace_copy_if(p, first, last, first, to, unwanted, value);
}
IRGL_EMU_ANYWHERE(replace_copy_if)

template <class P, class I, class O, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O replace_copy(const P& p, I first, I last, O to, const T& old, const T& value) {
  const T v = old;
  return thrust::replace_copy_if(p, first, last, first, to, [=](const auto& e) { return e == v; }, value);
}
IRGL_EMU_ANYWHERE(replace_copy)

template <class P, class I, class S, class F, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void replace_if(const P& p, I first, I last, S stencil, F unwanted, const T& value) {
  auto a = detail::raw(p, first);
  auto s = detail::raw(p, stencil);
  const T v = value;
  detail::each(p, "thrust::replace_if", last - first, [=](long i) IRGL_EMU_BODY {
    if (unwanted(detail::given(s[i]))) a[i] = v;
  });
}
template <class P, class I, class F, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void replace_if(const P& p, I first, I last, F unwanted, const T& value) {
  thrust::replace_if(p, first, last, first, unwanted, value);
}
IRGL_EMU_ANYWHERE(replace_if)

template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void replace(const P& p, I first, I last, const T& old, const T& value) {
  const T v = old;
  thrust::replace_if(p, first, last, first, [=](const auto& e) { return e == v; }, value);
}
IRGL_EMU_ANYWHERE(replace)

}  // namespace thrust
