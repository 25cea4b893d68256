// A function of each place.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void tabulate(const P& p, I first, I last, F f) {
  auto a = detail::raw(p, first);
  using Place = typename std::iterator_traits<I>::difference_type;
  detail::each(p, "thrust::tabulate", last - first, [=](long i) IRGL_EMU_BODY { a[i] = f(static_cast<Place>(i)); });
}
IRGL_EMU_ANYWHERE(tabulate)

}  // namespace thrust
