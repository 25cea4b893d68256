// thrust::placeholders: `_1 + 2 * _2` is a function of two arguments.
#pragma once
#include "unwrap.h"

namespace thrust {

namespace detail {
template <class Expression>
struct actor : Expression {
  IRGL_EMU_MEMBER constexpr actor(const Expression& e) : Expression(e) {}
  actor(const actor&) = default;
  template <class... A>
  IRGL_EMU_MEMBER constexpr decltype(auto) operator()(A&&... a) const {
    return Expression::value(a...);
  }
  template <class T>
  constexpr auto operator=(const T& v) const;
};
template <unsigned I>
struct argument {
  template <class A, class... Rest>
  IRGL_EMU_MEMBER static constexpr auto& value(A& a, Rest&... rest) {
    if constexpr (I == 0) {
      return given(a);
    } else {
      return argument<I - 1>::value(rest...);
    }
  }
};
template <class T>
struct constant {
  T v;
  template <class... A>
  IRGL_EMU_MEMBER constexpr const T& value(A&...) const {
    return v;
  }
};
template <class T>
IRGL_EMU_MEMBER constexpr constant<T> expression(const T& v) {
  return {v};
}
template <class E>
IRGL_EMU_MEMBER constexpr E expression(const actor<E>& a) {
  return a;
}
template <class T>
constexpr bool is_actor = false;
template <class E>
constexpr bool is_actor<actor<E>> = true;
template <class A, class B>
using if_actor = std::enable_if_t<is_actor<A> || is_actor<B>>;

template <class Op, class A, class B>
struct two_sided {
  A a;
  B b;
  template <class... Args>
  IRGL_EMU_MEMBER constexpr decltype(auto) value(Args&... args) const {
    return Op::of(a.value(args...), b.value(args...));
  }
};
template <class Op, class A>
struct one_sided {
  A a;
  template <class... Args>
  IRGL_EMU_MEMBER constexpr decltype(auto) value(Args&... args) const {
    return Op::of(a.value(args...));
  }
};
template <class Op, class A, class B>
IRGL_EMU_MEMBER constexpr auto joined(const A& a, const B& b) {
  using Made = two_sided<Op, decltype(expression(a)), decltype(expression(b))>;
  return actor<Made>(Made{expression(a), expression(b)});
}

#define IRGL_EMU_BINARY(name, op)                                   \
  struct name {                                                     \
    template <class A, class B>                                     \
    IRGL_EMU_MEMBER static constexpr decltype(auto) of(A&& a, B&& b) { \
      return a op b;                                                \
    }                                                               \
  };                                                                \
  template <class A, class B, class = if_actor<A, B>>               \
  IRGL_EMU_MEMBER constexpr auto operator op(const A& a, const B& b) { \
    return joined<name>(a, b);                                      \
  }
#define IRGL_EMU_UNARY(name, op)                                    \
  struct name {                                                     \
    template <class A>                                              \
    IRGL_EMU_MEMBER static constexpr decltype(auto) of(A&& a) {     \
      return op a;                                                  \
    }                                                               \
  };                                                                \
  template <class E>                                                \
  IRGL_EMU_MEMBER constexpr auto operator op(const actor<E>& a) {   \
    return actor<one_sided<name, E>>(one_sided<name, E>{a});        \
  }
IRGL_EMU_BINARY(op_plus, +)
IRGL_EMU_BINARY(op_minus, -)
IRGL_EMU_BINARY(op_times, *)
IRGL_EMU_BINARY(op_over, /)
IRGL_EMU_BINARY(op_modulo, %)
IRGL_EMU_BINARY(op_and, &)
IRGL_EMU_BINARY(op_or, |)
IRGL_EMU_BINARY(op_xor, ^)
IRGL_EMU_BINARY(op_left, <<)
IRGL_EMU_BINARY(op_right, >>)
IRGL_EMU_BINARY(op_equal, ==)
IRGL_EMU_BINARY(op_unequal, !=)
IRGL_EMU_BINARY(op_less, <)
IRGL_EMU_BINARY(op_greater, >)
IRGL_EMU_BINARY(op_most, <=)
IRGL_EMU_BINARY(op_least, >=)
IRGL_EMU_BINARY(op_both, &&)
IRGL_EMU_BINARY(op_either, ||)
IRGL_EMU_BINARY(op_add, +=)
IRGL_EMU_BINARY(op_subtract, -=)
IRGL_EMU_BINARY(op_multiply, *=)
IRGL_EMU_BINARY(op_divide, /=)
IRGL_EMU_BINARY(op_take_modulo, %=)
IRGL_EMU_BINARY(op_mask, &=)
IRGL_EMU_BINARY(op_set, |=)
IRGL_EMU_BINARY(op_flip, ^=)
IRGL_EMU_BINARY(op_shift_left, <<=)
IRGL_EMU_BINARY(op_shift_right, >>=)
IRGL_EMU_UNARY(op_positive, +)
IRGL_EMU_UNARY(op_negative, -)
IRGL_EMU_UNARY(op_not, !)
IRGL_EMU_UNARY(op_complement, ~)
IRGL_EMU_UNARY(op_increment, ++)
IRGL_EMU_UNARY(op_decrement, --)
#undef IRGL_EMU_BINARY
#undef IRGL_EMU_UNARY
struct op_assign {
  template <class A, class B>
  IRGL_EMU_MEMBER static constexpr decltype(auto) of(A&& a, B&& b) {
    return a = b;
  }
};
template <class Expression>
template <class T>
IRGL_EMU_MEMBER constexpr auto actor<Expression>::operator=(const T& v) const {
  return joined<op_assign>(*this, v);
}
}  // namespace detail

namespace placeholders {
inline constexpr detail::actor<detail::argument<0>> _1{detail::argument<0>{}};
inline constexpr detail::actor<detail::argument<1>> _2{detail::argument<1>{}};
inline constexpr detail::actor<detail::argument<2>> _3{detail::argument<2>{}};
inline constexpr detail::actor<detail::argument<3>> _4{detail::argument<3>{}};
inline constexpr detail::actor<detail::argument<4>> _5{detail::argument<4>{}};
}  // namespace placeholders

}  // namespace thrust
