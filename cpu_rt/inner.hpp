// How nested loops run, and what that lets an operator do plainly: the `inner` of executor.hpp.
#pragma once
#include "reducers.hpp"
#include "runtime.hpp"

// Constants about the `inner` that an operator was given: may all threads together run its nested loops? And may other
// threads run other items of the same loop meanwhile?
#define IRGL_SHARED(inner) (std::remove_reference_t<decltype(inner)>::shared)
#define IRGL_RACED(inner) (!std::remove_reference_t<decltype(inner)>::alone)

namespace irgl {

namespace detail {

// Calls f(item, item, item, item) from the first item on, as often as a range offers it, and tells how many items it had.
template <class R, class F>
IRGL_INLINE size_t in_fours(const R& range, size_t count, F&& f) {
  if constexpr (R::in_fours) {
    return range.visit_fours(f);
  } else {
    size_t p = 0;
    for (; p + 4 <= count; p += 4) f(range.at(p), range.at(p + 1), range.at(p + 2), range.at(p + 3));
    return p;
  }
}

}  // namespace detail

// A plain loop on this thread. alone: and no other thread is at work.
template <bool is_alone>
struct OneThread {
  static constexpr bool shared = false;
  static constexpr bool alone = is_alone;
  template <class R, class... A>
  IRGL_INLINE void for_each(Thread& t, const R& range, A&&... a) {
    auto body = [&](auto pack, auto& op) __attribute__((always_inline)) {
      auto acc = pack.current();
      size_t p = 0;
      const size_t count = range.size();
      // Four chains of additions instead of one.
      if constexpr (R::indexed || R::in_fours) if constexpr (decltype(pack)::chained) {
        if (count >= 64) {  // short loops overlap with the next item's; for them more exits are more mispredictions
          auto b = pack.neutral(), c = pack.neutral(), d = pack.neutral();
          using I = typename R::item;
          p = detail::in_fours(range, count, [&](I w, I x, I y, I z) __attribute__((always_inline)) {
            pack.call(op, t, *this, w, acc);
            pack.call(op, t, *this, x, b);
            pack.call(op, t, *this, y, c);
            pack.call(op, t, *this, z, d);
            pack.pin(acc), pack.pin(b), pack.pin(c), pack.pin(d);
          });
          pack.merge(acc, b), pack.merge(c, d), pack.merge(acc, c);
        }
      }
      range.visit(p, count, [&](typename R::item x) __attribute__((always_inline)) {
        pack.call(op, t, *this, x, acc);
      });
      pack.write_back(acc);
    };
    detail::split_last(body, std::make_index_sequence<sizeof...(A) - 1>(), a...);
  }
};

using SerialInner = OneThread<false>;
using AloneInner = OneThread<true>;

// All threads together; defined in executor.hpp.
struct ParallelInner {
  static constexpr bool shared = true;
  static constexpr bool alone = false;
  template <class R, class... A>
  IRGL_INLINE void for_each(Thread& t, const R& range, A&&... a);
};

}  // namespace irgl
