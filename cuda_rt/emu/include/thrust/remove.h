// Without some elements.
#pragma once
#include "detail/copy.h"
#include "detail/usual.h"
#include "functional.h"

namespace thrust {

template <class P, class I, class S, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O remove_copy_if(const P& p, I first, I last, S stencil, O to, F unwanted) {
  return thrust::copy_if(p, first, last, stencil, to, thrust::not_fn(unwanted));
}
template <class P, class I, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O remove_copy_if(const P& p, I first, I last, O to, F unwanted) {
  return thrust::copy_if(p, first, last, first, to, thrust::not_fn(unwanted));
}
IRGL_EMU_ANYWHERE(remove_copy_if)

template <class P, class I, class O, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O remove_copy(const P& p, I first, I last, O to, const T& value) {
  const T v = value;
  return thrust::copy_if(p, first, last, first, to, [=](const auto& e) { return !(e == v); });
}
IRGL_EMU_ANYWHERE(remove_copy)

template <class P, class I, class S, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I remove_if(const P& p, I first, I last, S stencil, F unwanted) {
  return thrust::copy_if(p, first, last, stencil, first, thrust::not_fn(unwanted));
}
template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I remove_if(const P& p, I first, I last, F unwanted) {
  return thrust::copy_if(p, first, last, first, first, thrust::not_fn(unwanted));
}
IRGL_EMU_ANYWHERE(remove_if)

template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I remove(const P& p, I first, I last, const T& value) {
  return thrust::remove_copy(p, first, last, first, value);
}
IRGL_EMU_ANYWHERE(remove)

}  // namespace thrust
