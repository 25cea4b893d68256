// thrust::pair.
#pragma once
#include "detail/config.h"

namespace thrust {

template <class A, class B>
struct pair {
  using first_type = A;
  using second_type = B;
  A first;
  B second;

  IRGL_EMU_MEMBER constexpr pair() : first(), second() {}
  pair(const pair&) = default;
  IRGL_EMU_MEMBER constexpr pair(const A& a, const B& b) : first(a), second(b) {}
  template <class C, class D, class = std::enable_if_t<std::is_constructible_v<A, C> && std::is_constructible_v<B, D>>>
  IRGL_EMU_MEMBER constexpr pair(C&& a, D&& b) : first(static_cast<C&&>(a)), second(static_cast<D&&>(b)) {}
  template <class C, class D>
  IRGL_EMU_MEMBER constexpr pair(const pair<C, D>& o) : first(o.first), second(o.second) {}
  template <class C, class D>
  IRGL_EMU_MEMBER constexpr pair(const std::pair<C, D>& o) : first(o.first), second(o.second) {}
  IRGL_EMU_MEMBER constexpr pair& operator=(const pair& o) {
    first = o.first;
    second = o.second;
    return *this;
  }
  template <class C, class D>
  IRGL_EMU_MEMBER constexpr pair& operator=(const pair<C, D>& o) {
    first = o.first;
    second = o.second;
    return *this;
  }
  template <class C, class D>
  IRGL_EMU_MEMBER constexpr operator std::pair<C, D>() const {
    return std::pair<C, D>(first, second);
  }
  IRGL_EMU_MEMBER void swap(pair& o) {
    const pair other = o;
    o = *this;
    *this = other;
  }
};
template <class A, class B>
pair(A, B) -> pair<A, B>;

template <class A, class B>
IRGL_EMU_MEMBER constexpr pair<std::decay_t<A>, std::decay_t<B>> make_pair(A&& a, B&& b) {
  return pair<std::decay_t<A>, std::decay_t<B>>(static_cast<A&&>(a), static_cast<B&&>(b));
}

#define IRGL_EMU_COMPARE(op, said)                                                                   \
  template <class A, class B, class C, class D>                                                      \
  IRGL_EMU_MEMBER constexpr bool operator op(const pair<A, B>& x, const pair<C, D>& y) {             \
    return said;                                                                                     \
  }
IRGL_EMU_COMPARE(==, x.first == y.first && x.second == y.second)
IRGL_EMU_COMPARE(!=, !(x == y))
IRGL_EMU_COMPARE(<, x.first < y.first || (!(y.first < x.first) && x.second < y.second))
IRGL_EMU_COMPARE(>, y < x)
IRGL_EMU_COMPARE(<=, !(y < x))
IRGL_EMU_COMPARE(>=, !(x < y))
#undef IRGL_EMU_COMPARE

template <size_t I, class A, class B>
IRGL_EMU_MEMBER constexpr auto& get(pair<A, B>& p) {
  if constexpr (I == 0) {
    return p.first;
  } else {
    return p.second;
  }
}
template <size_t I, class A, class B>
IRGL_EMU_MEMBER constexpr const auto& get(const pair<A, B>& p) {
  if constexpr (I == 0) {
    return p.first;
  } else {
    return p.second;
  }
}
template <size_t I, class A, class B>
IRGL_EMU_MEMBER constexpr auto&& get(pair<A, B>&& p) {
  if constexpr (I == 0) {
    return static_cast<A&&>(p.first);
  } else {
    return static_cast<B&&>(p.second);
  }
}

template <class A, class B>
IRGL_EMU_MEMBER void swap(pair<A, B>& x, pair<A, B>& y) {
  x.swap(y);
}

}  // namespace thrust

namespace std {
template <class A, class B>
struct tuple_size<thrust::pair<A, B>> : integral_constant<size_t, 2> {};
template <class A, class B>
struct tuple_element<0, thrust::pair<A, B>> {
  using type = A;
};
template <class A, class B>
struct tuple_element<1, thrust::pair<A, B>> {
  using type = B;
};
}  // namespace std
