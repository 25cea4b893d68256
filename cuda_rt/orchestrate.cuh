// What loops that run on the device, and kernels of several loops, say to the whole grid.
//
//     irgl::View<L>                      what kernels take of a list, a Pipe or an object of a library
//     struct Scalars : irgl::Shared      beside the program's scalars: the value of an invocation, and a few slots;
//     struct Scalars : irgl::SharedOf<N, W, K>   N slots, W words for what one thread gives to all, K for what is kept
//     irgl::once(t, f)                   one thread does f; what was read before is read, and all see what it wrote
//     irgl::from_first<T>(t, c, f, x...) all threads get what f gave one of them, and its x
//     irgl::hand_out(t, c, x...)         all threads get what one of them has in these variables of its own
//     irgl::keep(t, c, x...)  irgl::kept(c, x...)   from round to round of a kernel whose items come back
//     irgl::slot<T>(t, c, k, x)          a variable of the whole grid, which begins as x (the same for all threads)
//     irgl::settled(t, x)                x, once all threads have computed it: what follows may change what it is of
//     irgl::noted(t, value, RANGE)       the range; whether it has items becomes part of an invocation's value
// All but View are called by every thread of a cooperative launch.
#pragma once
#include "context.cuh"
#include "few.cuh"

namespace irgl {
namespace detail {
template <class T> T& made();  // of a type that is never made here
template <class L> struct ViewOf { using type = decltype(made<L>().view()); };

template <class X>
struct Copy {
  const X& x;
  IRGL_DEVICE X operator()() const { return x; }
};
}  // namespace detail

template <class L>
using View = typename detail::ViewOf<L>::type;

template <int words>
struct Kept {
  unsigned long long kept[words] = {};
};
template <>
struct Kept<0> {};

template <int variables = 7, int words = 1, int between_rounds = 0>
struct SharedOf : Kept<between_rounds> {
  Value value;
  unsigned long long slots[variables] = {}, given[words] = {};
};
using Shared = SharedOf<>;

template <class F>
IRGL_DEVICE void once(Thread& t, F f) {
  t.sync();
  if (t.first()) f();
  t.sync();
}

template <class C, class... X>
IRGL_DEVICE void keep(Thread& t, const C& c, const X&... x) {
  static_assert((((sizeof(X) + 7) / 8) + ...) * 8 <= sizeof(c.globals->kept), "more than the program keeps");
  if (!t.first()) return;
  unsigned long long* at = c.globals->kept;
  ((*reinterpret_cast<X*>(at) = x, at += (sizeof(X) + 7) / 8), ...);
}
template <class C, class... X>
IRGL_DEVICE void kept(const C& c, X&... x) {
  const unsigned long long* at = c.globals->kept;
  ((x = *reinterpret_cast<const X*>(at), at += (sizeof(X) + 7) / 8), ...);
}

template <class T>
IRGL_DEVICE T settled(Thread& t, const T& x) {
  t.sync();
  return x;
}

template <class R>
IRGL_DEVICE R noted(Thread& t, Value& value, const R& range) {
  if (t.first() && has_items(range)) atomic_or(value.items, true);
  return range;
}

template <class T, class C>
IRGL_DEVICE T& slot(Thread& t, const C& c, int k, T x) {
  static_assert(sizeof(T) <= 8, "a slot holds a number, a node or an edge");
  T* at = reinterpret_cast<T*>(&c.globals->slots[k]);
  once(t, [&] { *at = x; });
  return *at;
}

template <class C, class... X>
IRGL_DEVICE void hand_out(Thread& t, const C& c, X&... x);

template <class T, class C, class F, class... X>
IRGL_DEVICE T from_first(Thread& t, const C& c, F f, X&... own) {
  static_assert(sizeof(T) <= sizeof(c.globals->given), "wider than what the program shares");
  T* at = reinterpret_cast<T*>(c.globals->given);
  once(t, [&] { *at = f(); });
  const T x = *at;
  t.sync();
  hand_out(t, c, own...);
  return x;
}

template <class C, class... X>
IRGL_DEVICE void hand_out(Thread& t, const C& c, X&... x) {
  ((x = from_first<X>(t, c, detail::Copy<X>{x})), ...);
}

}  // namespace irgl
