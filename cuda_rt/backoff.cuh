// Which thread runs which item when a kernel's items are retried: those that failed together should not meet again.
//
//     irgl::for_each<S>(t, irgl::backed_off(t, wl, RANGE), ...)      RANGE: what the kernel runs over, of the Pipe wl
// In the first round of an invocation the threads stride over the range, as they do without it. In the rounds of
// retried items a thread has neighbours, which it runs one after the other: at least 4 of them in the second round,
// twice as many in each round after, up to 64. Where there are no more than a warp of items left, the first thread has
// them all. What comes back stands near what it was in conflict with: so it waits for that instead of failing again.
#pragma once
#include "pipe.cuh"

namespace irgl {
namespace detail {
constexpr size_t first_share = 4, largest_share = 64;

// Position p is step p / stride of thread p % stride: its item is the step-th of those that the thread has.
template <class R>
struct BackedOff : Unweighted {
  static constexpr bool holed = true;
  using item = typename R::item;
  R range;
  size_t share, stride;  // items of a thread, or 0: position p is item p; threads of the grid
  IRGL_DEVICE size_t index(size_t p) const { return share == 0 ? p : p % stride * share + p / stride; }
  IRGL_DEVICE size_t size() const { return share == 0 || range.size() == 0 ? range.size() : share * stride; }
  IRGL_DEVICE bool has(size_t p) const { return index(p) < range.size() && has_item(range, index(p)); }
  IRGL_DEVICE item at(size_t p) const { return range.at(index(p)); }
};
}  // namespace detail

template <class Wl, class R>
IRGL_DEVICE detail::BackedOff<R> backed_off(const Thread& t, const Wl& wl, const R& range) {
  size_t share = 0;
  const size_t count = range.size(), even = (count + t.count() - 1) / t.count();
  if (wl.tries != 0) {
    share = detail::first_share << (wl.tries - 1 < 8 ? wl.tries - 1 : 8);
    share = share < detail::largest_share ? share : detail::largest_share;
    share = count <= warp_size ? count : share < even ? even : share;
  }
  return {{}, range, share, t.count()};
}

}  // namespace irgl
