// What the threads of a block show each other in a nested loop (nested.cuh): ranges, closures, sums, parts.
//
//     irgl::closure(a, b...)     values of the thread that brings a range, for whoever runs its items
#pragma once
#include "schedulers.cuh"

namespace irgl {
namespace detail {

template <class Seq, class... A>
struct Closure;
template <size_t... I, class... A>
struct Closure<std::index_sequence<I...>, A...> {
  row_t<A...> values;
  // f(t, valid, item, closure's values..., accumulators...)
  template <class P, class Op, class Item>
  IRGL_DEVICE void call(Op& op, typename P::Local& part, Thread& t, bool valid, Item item) const {
    P::call(op, part, t, valid, item, get<I>(values)...);
  }
};

// Shared memory by size and depth: loops one after the other use the same.
template <size_t bytes, int depth>
IRGL_DEVICE void* slab() {
  alignas(16) __shared__ unsigned char memory[bytes];
  return memory;
}

template <class R, class C>
struct Load : C {  // what a thread brings; the closure is a base, for it may be empty
  R range;
  IRGL_DEVICE Load(const R& r, const C& closure) : C(closure), range(r) {}
};
template <class R, class C, class P, bool fine>
struct Board {  // what the block's threads see of each other
  Load<R, C> load[block_size];
  counter_t start[fine ? block_size : 1];                // FG: where the items of each thread begin
  typename P::Wide part[P::count != 0 ? block_size : 1];  // of the thread that brought the range
  unsigned big[warps];                                   // TB: which lanes have a range for the block
};
IRGL_BOTH constexpr unsigned power_upto(unsigned n) { return n < 2 ? n : 2 * power_upto(n / 2); }

template <class... A>
using closure_t = Closure<std::index_sequence_for<A...>, A...>;
template <size_t... I, class... A>
IRGL_DEVICE closure_t<A...> make_closure(std::index_sequence<I...>, const A&... a) { return {{Slot<I, A>{a}...}}; }
}  // namespace detail

template <class... A>
IRGL_DEVICE detail::closure_t<A...> closure(const A&... a) {
  return detail::make_closure(std::index_sequence_for<A...>(), a...);
}

}  // namespace irgl
