// Comparison of tuples, in the order of their elements.
#pragma once
#include "../tuple.h"

namespace thrust {

namespace detail {
template <size_t I, class A, class B>
IRGL_EMU_MEMBER constexpr bool same(const A& a, const B& b) {
  if constexpr (I == std::tuple_size_v<A>) {
    return true;
  } else {
    return thrust::get<I>(a) == thrust::get<I>(b) && same<I + 1>(a, b);
  }
}
template <size_t I, class A, class B>
IRGL_EMU_MEMBER constexpr bool before(const A& a, const B& b) {
  if constexpr (I == std::tuple_size_v<A>) {
    return false;
  } else {
    return thrust::get<I>(a) < thrust::get<I>(b) || (!(thrust::get<I>(b) < thrust::get<I>(a)) && before<I + 1>(a, b));
  }
}
}  // namespace detail
#define IRGL_EMU_COMPARE(op, said)                                                                              \
  template <class... A, class... B, class = std::enable_if_t<sizeof...(A) == sizeof...(B)>>                     \
  IRGL_EMU_MEMBER constexpr bool operator op(const tuple<A...>& x, const tuple<B...>& y) {                      \
    return said;                                                                                                \
  }
IRGL_EMU_COMPARE(==, detail::same<0>(x, y))
IRGL_EMU_COMPARE(!=, !(x == y))
IRGL_EMU_COMPARE(<, detail::before<0>(x, y))
IRGL_EMU_COMPARE(>, y < x)
IRGL_EMU_COMPARE(<=, !(y < x))
IRGL_EMU_COMPARE(>=, !(x < y))
#undef IRGL_EMU_COMPARE

}  // namespace thrust
