// Reducers of a ForAll: each thread combines into a private accumulator, then once into the target.
//
//     sum(x) min_of(x) max_of(x) any(flag) all(flag) bit_or(x) bit_and(x)     x: an lvalue, an outer local or c.scalar
// The operator receives, in the same order, one reference per reducer (T& acc) and updates it as a plain local:
//     sum     acc += v                min_of / max_of   irgl::plain_min(acc, v)
//     any     acc |= v                all               acc &= v       (bool)
// In a serial inner loop acc starts from the target's value and is written back; in a parallel loop it starts from the
// neutral value, and x keeps what it held before combined with all. So acc's value says nothing but through x.
#pragma once
#include <utility>

#include "runtime.hpp"

namespace irgl {

template <class T, class Op>
struct Reducer {
  using type = T;
  using operation = Op;
  T& target;
  T neutral;
  IRGL_INLINE void combine(T value) const { target = Op{}(target, value); }
};
template <class T>
IRGL_INLINE Reducer<T, detail::Add> sum(T& x) { return {x, T(0)}; }
template <class T>
IRGL_INLINE Reducer<T, detail::Min> min_of(T& x) { return {x, x}; }
template <class T>
IRGL_INLINE Reducer<T, detail::Max> max_of(T& x) { return {x, x}; }
template <class T>
IRGL_INLINE Reducer<T, detail::Or> bit_or(T& x) { return {x, T(0)}; }
template <class T>
IRGL_INLINE Reducer<T, detail::And> bit_and(T& x) { return {x, x}; }
IRGL_INLINE Reducer<bool, detail::Or> any(bool& x) { return {x, false}; }
IRGL_INLINE Reducer<bool, detail::And> all(bool& x) { return {x, true}; }
// What an iteration returns joins the accumulators of its thread.
IRGL_INLINE void returned(bool& any, bool& all, bool value) {
  any |= value;
  all &= value;
}

namespace detail {

// Keep a float accumulator in a register of its own: the vectoriser would join four of them and load their operands
// with gather instructions, which on today's x86 take twice as long as four loads (measured on Zen 4, PageRank).
template <class T>
IRGL_INLINE void pin(T& x) {
#ifdef __x86_64__
  if constexpr (std::is_floating_point_v<T>) asm("" : "+x"(x));
#endif
  (void)x;
}

template <size_t I, class T>
struct Slot { T value; };

// The reducers (all arguments but the last) and the operator (the last) of a for_each call.
template <class Seq, class... R>
struct Pack;
template <size_t... I, class... R>
struct Pack<std::index_sequence<I...>, R...> : Slot<I, R>... {
  struct Local : Slot<I, typename R::type>... {};
  // A sum of floats: each addition waits for the one before it, unless there are several accumulators.
  static constexpr bool chained = (false || ... || (std::is_floating_point_v<typename R::type> &&
                                                    std::is_same_v<typename R::operation, Add>));
  IRGL_INLINE explicit Pack(const R&... r) : Slot<I, R>{r}... {}

  template <size_t J, class S>
  static IRGL_INLINE auto& get(Slot<J, S>& slot) { return slot.value; }
  template <size_t J, class S>
  static IRGL_INLINE const S& get_const(const Slot<J, S>& slot) { return slot.value; }

  IRGL_INLINE Local neutral() const { return Local{{get_const<I>(*this).neutral}...}; }
  IRGL_INLINE Local current() const { return Local{{get_const<I>(*this).target}...}; }
  IRGL_INLINE void pin(Local& local) const { (detail::pin(get<I>(local)), ...); }
  IRGL_INLINE void merge(Local& into, Local& from) const {
    ((get<I>(into) = typename R::operation{}(get<I>(into), get<I>(from))), ...);
  }
  IRGL_INLINE void combine(Local& local) const { (get_const<I>(*this).combine(get<I>(local)), ...); }
  IRGL_INLINE void write_back(Local& local) const { ((get_const<I>(*this).target = get<I>(local)), ...); }
  template <class Op, class Thread, class Inner, class Item>
  static IRGL_INLINE void call(Op& op, Thread& t, Inner& inner, Item item, Local& local) {
    (void)local;
    op(t, inner, item, get<I>(local)...);
  }
};

template <size_t I, class T>
struct Ref { T& value; };
template <class Seq, class... A>
struct Refs;
template <size_t... I, class... A>
struct Refs<std::index_sequence<I...>, A...> : Ref<I, A>... {
  IRGL_INLINE explicit Refs(A&... a) : Ref<I, A>{a}... {}
};
template <size_t J, class T>
IRGL_INLINE T& at(Ref<J, T> ref) { return ref.value; }

// Call f(pack of the reducers, operator).
template <class F, size_t... I, class... A>
IRGL_INLINE void split_last(F&& f, std::index_sequence<I...> seq, A&... a) {
  Refs<std::index_sequence_for<A...>, A...> refs(a...);
  using P = Pack<std::index_sequence<I...>, std::remove_const_t<std::remove_reference_t<decltype(at<I>(refs))>>...>;
  (void)seq;
  f(P(at<I>(refs)...), at<sizeof...(A) - 1>(refs));
}

}  // namespace detail
}  // namespace irgl
