// Whether all, some or none are as a predicate wants them.
#pragma once
#include "detail/find.h"
#include "detail/usual.h"

namespace thrust {

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER bool any_of(const P& p, I first, I last, F wanted) {
  return thrust::find_if(p, first, last, wanted) != last;
}
IRGL_EMU_ANYWHERE(any_of)
template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER bool none_of(const P& p, I first, I last, F wanted) {
  return thrust::find_if(p, first, last, wanted) == last;
}
IRGL_EMU_ANYWHERE(none_of)
template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER bool all_of(const P& p, I first, I last, F wanted) {
  return thrust::find_if_not(p, first, last, wanted) == last;
}
IRGL_EMU_ANYWHERE(all_of)

}  // namespace thrust
