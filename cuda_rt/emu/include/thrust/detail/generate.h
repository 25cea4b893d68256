// What a function without arguments gives.
#pragma once
#include "run.h"

namespace thrust {

template <class P, class I, class N, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I generate_n(const P& p, I first, N n, F f) {
  auto a = detail::raw(p, first);
  detail::each(p, "thrust::generate", n, [=](long i) IRGL_EMU_BODY { a[i] = f(); });
  return first + n;
}
IRGL_EMU_ANYWHERE(generate_n)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void generate(const P& p, I first, I last, F f) {
  thrust::generate_n(p, first, last - first, f);
}
IRGL_EMU_ANYWHERE(generate)

}  // namespace thrust
