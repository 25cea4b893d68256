// Functions of operators, and placeholders.
#pragma once
#include "detail/config.h"
#include "detail/placeholders.h"
#include "tuple.h"

namespace thrust {

template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};

#define IRGL_EMU_BINARY(name, result, said)                                       \
  template <class T = void>                                                       \
  struct name : binary_function<T, T, result> {                                   \
    IRGL_EMU_MEMBER constexpr result operator()(const T& a, const T& b) const {   \
      return said;                                                                \
    }                                                                             \
  };                                                                              \
  template <>                                                                     \
  struct name<void> {                                                             \
    using is_transparent = void;                                                  \
    template <class A, class B>                                                   \
    IRGL_EMU_MEMBER constexpr auto operator()(const A& a, const B& b) const {     \
      return said;                                                                \
    }                                                                             \
  };
#define IRGL_EMU_UNARY(name, result, said)                                        \
  template <class T = void>                                                       \
  struct name : unary_function<T, result> {                                       \
    IRGL_EMU_MEMBER constexpr result operator()(const T& a) const { return said; } \
  };                                                                              \
  template <>                                                                     \
  struct name<void> {                                                             \
    using is_transparent = void;                                                  \
    template <class A>                                                            \
    IRGL_EMU_MEMBER constexpr auto operator()(const A& a) const {                 \
      return said;                                                                \
    }                                                                             \
  };
IRGL_EMU_BINARY(plus, T, a + b)
IRGL_EMU_BINARY(minus, T, a - b)
IRGL_EMU_BINARY(multiplies, T, a* b)
IRGL_EMU_BINARY(divides, T, a / b)
IRGL_EMU_BINARY(modulus, T, a % b)
IRGL_EMU_BINARY(bit_and, T, a& b)
IRGL_EMU_BINARY(bit_or, T, a | b)
IRGL_EMU_BINARY(bit_xor, T, a ^ b)
IRGL_EMU_BINARY(maximum, T, a < b ? b : a)
IRGL_EMU_BINARY(minimum, T, b < a ? b : a)
IRGL_EMU_BINARY(equal_to, bool, a == b)
IRGL_EMU_BINARY(not_equal_to, bool, a != b)
IRGL_EMU_BINARY(greater, bool, a > b)
IRGL_EMU_BINARY(less, bool, a < b)
IRGL_EMU_BINARY(greater_equal, bool, a >= b)
IRGL_EMU_BINARY(less_equal, bool, a <= b)
IRGL_EMU_BINARY(logical_and, bool, a&& b)
IRGL_EMU_BINARY(logical_or, bool, a || b)
IRGL_EMU_UNARY(negate, T, -a)
IRGL_EMU_UNARY(square, T, a* a)
IRGL_EMU_UNARY(logical_not, bool, !a)
IRGL_EMU_UNARY(bit_not, T, ~a)
#undef IRGL_EMU_BINARY
#undef IRGL_EMU_UNARY

template <class T = void>
struct identity {
  using argument_type = T;
  using result_type = T;
  IRGL_EMU_MEMBER constexpr const T& operator()(const T& v) const { return v; }
};
template <>
struct identity<void> {
  using is_transparent = void;
  template <class T>
  IRGL_EMU_MEMBER constexpr T&& operator()(T&& v) const {
    return static_cast<T&&>(v);
  }
};
template <class A = void, class B = void>
struct project1st {
  template <class C, class D>
  IRGL_EMU_MEMBER constexpr C operator()(const C& c, const D&) const {
    return c;
  }
};
template <class A = void, class B = void>
struct project2nd {
  template <class C, class D>
  IRGL_EMU_MEMBER constexpr D operator()(const C&, const D& d) const {
    return d;
  }
};

namespace detail {
template <class F>
struct negated {
  F f;
  template <class... A>
  IRGL_EMU_MEMBER bool operator()(A&&... a) {
    return !f(static_cast<A&&>(a)...);
  }
  template <class... A>
  IRGL_EMU_MEMBER bool operator()(A&&... a) const {
    return !f(static_cast<A&&>(a)...);
  }
};
}  // namespace detail
template <class F>
IRGL_EMU_MEMBER detail::negated<F> not_fn(F f) {
  return {f};
}
template <class F>
struct unary_negate : detail::negated<F> {
  IRGL_EMU_MEMBER explicit unary_negate(F f) : detail::negated<F>{f} {}
};
template <class F>
struct binary_negate : detail::negated<F> {
  IRGL_EMU_MEMBER explicit binary_negate(F f) : detail::negated<F>{f} {}
};
template <class F>
IRGL_EMU_MEMBER unary_negate<F> not1(const F& f) {
  return unary_negate<F>(f);
}
template <class F>
IRGL_EMU_MEMBER binary_negate<F> not2(const F& f) {
  return binary_negate<F>(f);
}

}  // namespace thrust
