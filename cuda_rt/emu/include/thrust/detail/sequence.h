// 0, 1, 2, ...
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class T, class S, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void sequence(const P& p, I first, I last, T init, S step) {
  auto a = detail::raw(p, first);
  detail::each(p, "thrust::sequence", last - first, [=](long i) IRGL_EMU_BODY {
    a[i] = static_cast<T>(init + static_cast<T>(step) * static_cast<T>(i));
  });
}
template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void sequence(const P& p, I first, I last, T init) {
  thrust::sequence(p, first, last, init, T(1));
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void sequence(const P& p, I first, I last) {
  using Value = typename std::iterator_traits<I>::value_type;
  thrust::sequence(p, first, last, Value(0), Value(1));
}
IRGL_EMU_ANYWHERE(sequence)

}  // namespace thrust
