// Sums of products.
#pragma once
#include "detail/run.h"
#include "detail/usual.h"
#include "functional.h"
#include "zip_function.h"

namespace thrust {

template <class P, class I, class J, class T, class F, class G, class = detail::if_policy<P>>
IRGL_EMU_MEMBER T inner_product(const P& p, I first, I last, J other, T init, F sum, G product) {
  const long n = last - first;
  if (n <= 0) return init;
  auto a = detail::raw(p, first);
  auto b = detail::raw(p, other);
  return detail::result(p, "thrust::inner_product", [=]() IRGL_EMU_BODY {
    T all = init;
    for (long i = 0; i < n; i++) all = sum(all, product(detail::given(a[i]), detail::given(b[i])));
    return all;
  });
}
template <class P, class I, class J, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER T inner_product(const P& p, I first, I last, J other, T init) {
  return thrust::inner_product(p, first, last, other, init, plus<T>(), multiplies<T>());
}
IRGL_EMU_ANYWHERE(inner_product)

}  // namespace thrust
