// Reducers: of a whole ForAll, of a nested one, and how several travel together.
//
//     sum<C>(x) min_of<C>(x) max_of<C>(x) bit_or<C>(x) bit_and<C>(x) any<C>(x) all<C>(x)     for_each: x is global
//         each thread combines into a private accumulator; at the end one atomic per thread, warp or block (C)
//     into_sum(x) into_min(x) into_max(x) into_or(x) into_and(x)                       nested: x belongs to the item
//         each executing thread has a private part, and all parts are combined into x before nested returns
#pragma once
#include "ranges.cuh"

namespace irgl {

template <class T, class Op>
struct Into {
  using type = T;
  using operation = Op;
  T& target;
  T neutral;
};
template <class T, class Op, Scope C>
struct Reducer : Into<T, Op> {
  static constexpr Scope scope = C;
};

namespace detail {
// Called by all threads of the scope at the same place.
template <Scope C, class Op, class T>
IRGL_DEVICE void combine_shared(T& target, T value, T neutral) {
  bool speaks = true;
  if constexpr (C == Warp) value = warp_reduce<Op>(value), speaks = lane_id() == 0;
  if constexpr (C == Block) value = block_reduce<Op>(value, neutral), speaks = threadIdx.x == 0;
  if (!speaks || same(value, neutral)) return;
  if constexpr (std::is_same_v<Op, Add>) atomic_add(target, value);
  else if constexpr (std::is_same_v<Op, Min>) atomic_min(target, value);
  else if constexpr (std::is_same_v<Op, Max>) atomic_max(target, value);
  else if constexpr (std::is_same_v<Op, Or>) atomic_or(target, value);
  else atomic_and(target, value);
}
// Into shared memory that begins as neutral: by atomics alone, for tools call a look at it beside them a race.
template <class Op, class T>
IRGL_DEVICE void combine_in_block(T& part, T value, T neutral) {
  if (same(value, neutral)) return;
  if constexpr (std::is_same_v<Op, Add> && (native_int<T> || std::is_floating_point_v<T>)) atomic_add(part, value);
  else if constexpr (std::is_same_v<Op, Min> && native_int<T>) atomicMin(native(part), native_t<T>(value));
  else if constexpr (std::is_same_v<Op, Max> && native_int<T>) atomicMax(native(part), native_t<T>(value));
  else if constexpr (std::is_same_v<Op, Or> && native_int<T>) atomicOr(native(part), native_t<T>(value));
  else if constexpr (std::is_same_v<Op, And> && native_int<T>) atomicAnd(native(part), native_t<T>(value));
  else cas_loop(part, bit_cast<bits_t<T>>(neutral), [=](T old) { return Op{}(old, value); });
}
template <class T>
IRGL_BOTH constexpr T ones() {
  if constexpr (std::is_same_v<T, bool>) return true;
  else return T(~T(0));
}
}  // namespace detail

#define IRGL_REDUCER(name, into_name, Op, neutral)                                             \
  template <Scope C, class T>                                                                  \
  IRGL_DEVICE Reducer<T, detail::Op, C> name(T& x) { return {{x, neutral}}; }                  \
  template <class T>                                                                           \
  IRGL_DEVICE Into<T, detail::Op> into_name(T& x) { return {x, neutral}; }
IRGL_REDUCER(sum, into_sum, Add, T(0))
IRGL_REDUCER(min_of, into_min, Min, highest<T>())
IRGL_REDUCER(max_of, into_max, Max, lowest<T>())
IRGL_REDUCER(bit_or, into_or, Or, T(0))
IRGL_REDUCER(bit_and, into_and, And, detail::ones<T>())
#undef IRGL_REDUCER
template <Scope C>
IRGL_DEVICE Reducer<bool, detail::Or, C> any(bool& x) { return {{x, false}}; }
template <Scope C>
IRGL_DEVICE Reducer<bool, detail::And, C> all(bool& x) { return {{x, true}}; }

// What an iteration returns joins the accumulators of its thread, or, where they are not combined, the kernel's value.
IRGL_DEVICE void returned(bool& any, bool& all, bool value) {
  any |= value;
  all &= value;
}
IRGL_DEVICE void atomic_returned(Value& kernel, bool value) {
  atomic_or(kernel.any, value);
  atomic_and(kernel.all, value);
}

namespace detail {

template <size_t I, class T>
struct Slot {
  T value;
};
template <size_t I, class T>
IRGL_BOTH T& get(Slot<I, T>& slot) { return slot.value; }
template <size_t I, class T>
IRGL_BOTH const T& get(const Slot<I, T>& slot) { return slot.value; }

// Values side by side, trivially copyable if they are.
template <class Seq, class... T>
struct Row;
template <size_t... I, class... T>
struct Row<std::index_sequence<I...>, T...> : Slot<I, T>... {};
template <class... T>
using row_t = Row<std::index_sequence_for<T...>, T...>;

// Shared memory keeps small types as whole words, which atomics can take.
template <class T>
using wide_t = std::conditional_t<sizeof(T) >= 4, T, std::conditional_t<std::is_signed_v<T>, int, unsigned>>;

// The reducers of one loop. Local: a thread's accumulators; Wide: those that the threads of a block share.
template <class Seq, class... R>
struct Pack;
template <size_t... I, class... R>
struct Pack<std::index_sequence<I...>, R...> {
  using Local = row_t<typename R::type...>;
  using Wide = row_t<wide_t<typename R::type>...>;
  static constexpr size_t count = sizeof...(R);
  row_t<R...> reducers;

  IRGL_DEVICE explicit Pack(const R&... r) : reducers{Slot<I, R>{r}...} {}
  IRGL_DEVICE Local neutral() const { return Local{Slot<I, typename R::type>{get<I>(reducers).neutral}...}; }
  IRGL_DEVICE Wide wide_neutral() const {
    return Wide{Slot<I, wide_t<typename R::type>>{wide_t<typename R::type>(get<I>(reducers).neutral)}...};
  }
  IRGL_DEVICE void to_global([[maybe_unused]] Local& local) const {
    (combine_shared<R::scope, typename R::operation>(get<I>(reducers).target, get<I>(local),
                                                     get<I>(reducers).neutral), ...);
  }
  template <class Values>
  IRGL_DEVICE void to_target([[maybe_unused]] const Values& values) const {
    ((get<I>(reducers).target =
          typename R::operation{}(get<I>(reducers).target, typename R::type(get<I>(values)))), ...);
  }
  template <unsigned width = warp_size>
  static IRGL_DEVICE void warp_merge([[maybe_unused]] Local& local) {
    ((get<I>(local) = warp_reduce<typename R::operation, width>(get<I>(local))), ...);
  }
  static IRGL_DEVICE void merge_runs([[maybe_unused]] Local& local, [[maybe_unused]] unsigned heads,
                                     [[maybe_unused]] unsigned lanes) {
    ((get<I>(local) = run_reduce<typename R::operation>(get<I>(local), heads, lanes)), ...);
  }
  IRGL_DEVICE void to_shared([[maybe_unused]] Wide& shared, [[maybe_unused]] const Local& local) const {
    (combine_in_block<typename R::operation>(get<I>(shared), wide_t<typename R::type>(get<I>(local)),
                                             wide_t<typename R::type>(get<I>(reducers).neutral)), ...);
  }
  template <class F, class... Before>
  static IRGL_DEVICE void call(F& f, [[maybe_unused]] Local& local, Before&&... before) {
    f(before..., get<I>(local)...);
  }
};
template <class... R>
using pack_t = Pack<std::index_sequence_for<R...>, R...>;

template <size_t... J, class... A>
IRGL_DEVICE auto addresses(std::index_sequence<J...>, A&... a) {
  return Row<std::index_sequence<J...>, A*...>{Slot<J, A*>{&a}...};
}
template <class P>
using pointed_t = std::remove_const_t<std::remove_pointer_t<std::remove_const_t<std::remove_reference_t<P>>>>;

// Call f(pack of all arguments but the last, the last).
template <class F, size_t... I, class... A>
IRGL_DEVICE void split_last(F&& f, std::index_sequence<I...>, A&... a) {
  const auto all = addresses(std::index_sequence_for<A...>(), a...);
  f(pack_t<pointed_t<decltype(get<I>(all))>...>(*get<I>(all)...), *get<sizeof...(A) - 1>(all));
}

}  // namespace detail
}  // namespace irgl
