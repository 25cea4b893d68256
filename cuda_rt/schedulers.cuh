// for_each: the outermost loop of an operator over the whole grid. Called by all threads of the grid.
//
//     irgl::for_each<S>(t, RANGE, REDUCERS..., [&](irgl::Thread& t, bool valid, item x, ACCS&...) {...});
// S says who meets in the operator's collectives. One: the operator is called for items only. Warp, Block: it is called
// by all threads of the block the same number of times, valid only on those that have an item; Grid: by all threads of
// the grid, that it may hold barriers of the grid. A block starts its stride with its first thread, so that the number
// of steps is the same for all its threads.
#pragma once
#include "reducers.cuh"

namespace irgl {
namespace detail {

template <Scope S, class R, class P, class Op>
IRGL_DEVICE void run_grid(Thread& t, const R& range, const P& pack, Op& op) {
  using Item = typename R::item;
  typename P::Local acc = pack.neutral();
  const size_t count = range.size(), stride = t.count();
  const size_t begin = S == Grid ? 0 : size_t(blockIdx.x) * block_size, own = t.rank() - begin;
  for (size_t base = begin; base < count; base += stride) {
    const size_t p = base + own;
    const bool valid = p < count && has_item(range, p);
    if constexpr (S == One) {
      if (valid) P::call(op, acc, t, true, range.at(p));
    } else {
      P::call(op, acc, t, valid, valid ? range.at(p) : Item());
    }
  }
  pack.to_global(acc);
}
}  // namespace detail

template <Scope S, class R, class... A>
IRGL_DEVICE void for_each(Thread& t, const R& range, A&&... a) {
  detail::split_last([&](const auto& pack, auto& op) { detail::run_grid<S>(t, range, pack, op); },
                     std::make_index_sequence<sizeof...(A) - 1>(), a...);
}

}  // namespace irgl
