// Copies, also between host and device, and of what a predicate chooses.
#pragma once
#include "transfer.h"

namespace thrust {

template <class P, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O copy(const P& p, I first, I last, O to) {
  if constexpr (detail::on_device<P>) {
    return detail::copy_in_device(p, detail::raw(p, first), last - first, to);
  } else {
    return detail::copy_in_host(first, last, to);
  }
}
template <class I, class O, class = detail::if_no_policy<I>>
IRGL_EMU_MEMBER O copy(I first, I last, O to) {
  constexpr int from = detail::place_of<I>::value, into = detail::place_of<O>::value;
  if constexpr (from == 2 && into == 1) {
    return detail::copy_to_host(detail::unwrap(first), last - first, to);
  } else if constexpr (from == 1 && into == 2) {
    return detail::copy_to_device(first, last, to);
  } else {
    return thrust::copy(detail::policy_for<I, O>{}, first, last, to);
  }
}
template <class P, class I, class N, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O copy_n(const P& p, I first, N n, O to) {
  return thrust::copy(p, first, first + n, to);
}
template <class I, class N, class O, class = detail::if_no_policy<I>>
IRGL_EMU_MEMBER O copy_n(I first, N n, O to) {
  return thrust::copy(first, first + n, to);
}

template <class P, class I, class S, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O copy_if(const P& p, I first, I last, S stencil, O to, F wanted) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto s = detail::raw(p, stencil);
  auto o = detail::raw(p, to);
  return to + detail::result(p, "thrust::copy_if", [=]() IRGL_EMU_BODY {
    long kept = 0;
    for (long i = 0; i < n; i++) {
      if (wanted(detail::given(s[i]))) o[kept++] = a[i];
    }
    return kept;
  });
}
template <class P, class I, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O copy_if(const P& p, I first, I last, O to, F wanted) {
  return thrust::copy_if(p, first, last, first, to, wanted);
}
IRGL_EMU_ANYWHERE(copy_if)

}  // namespace thrust
