// Comparison of vectors, wherever they lie.
#pragma once
#include <vector>

#include "equal.h"
#include "vector_like.h"

namespace thrust {

namespace detail {
template <class A, class B>
IRGL_EMU_MEMBER bool same_elements(const A& a, const B& b) {
  if (a.size() != b.size()) return false;
  if constexpr (place_of<decltype(a.begin())>::value == place_of<decltype(b.begin())>::value) {
    return thrust::equal(a.begin(), a.end(), b.begin());
  } else {
    host_room<typename A::value_type> x(a.size());
    host_room<typename B::value_type> y(b.size());
    thrust::copy(a.begin(), a.end(), x.data);
    thrust::copy(b.begin(), b.end(), y.data);
    return thrust::equal(x.data, x.data + a.size(), y.data);
  }
}
}  // namespace detail

template <class D, class T, class P, class E, class U, class Q>
IRGL_EMU_MEMBER bool operator==(const detail::vector_like<D, T, P>& a, const detail::vector_like<E, U, Q>& b) {
  return detail::same_elements(static_cast<const D&>(a), static_cast<const E&>(b));
}
template <class D, class T, class P, class E, class U, class Q>
IRGL_EMU_MEMBER bool operator!=(const detail::vector_like<D, T, P>& a, const detail::vector_like<E, U, Q>& b) {
  return !(a == b);
}
template <class D, class T, class P, class U, class A>
IRGL_EMU_MEMBER bool operator==(const detail::vector_like<D, T, P>& a, const std::vector<U, A>& b) {
  return detail::same_elements(static_cast<const D&>(a), b);
}
template <class D, class T, class P, class U, class A>
IRGL_EMU_MEMBER bool operator!=(const detail::vector_like<D, T, P>& a, const std::vector<U, A>& b) {
  return !(a == b);
}
template <class D, class T, class P, class U, class A>
IRGL_EMU_MEMBER bool operator==(const std::vector<U, A>& a, const detail::vector_like<D, T, P>& b) {
  return b == a;
}

}  // namespace thrust
