// Rounds of the Program's loops, in units that note what is counted by round; the words are those of cpu_rt/rounds.hpp.
// The emulator counts by them (emu/runtime/rounds.hpp), and a GPU takes times (round_log.cuh), on the host and in
// outlined loops, whose threads all say:
//
//     irgl::begin_round(place, depth);         of the loop with that number, which has `depth` others around it
//     irgl::runs_over([&] { return RANGE; });  before an invocation; only the round's first one says anything; in an
//                                              outlined loop runs_over(t, ...)
//     irgl::goes(irgl::pulling);               in a kernel
//     irgl::end_rounds(depth);                 behind the loop
//     irgl::rejoin_round();                    where those go on that waited for the first block (few.cuh)
// Nothing of it is counted itself.
#pragma once
#include "context.cuh"
#include "ranges.cuh"

namespace irgl {
namespace detail {
// Of the items at `first` and each `stride`-th behind it how many there are, and how many edges these have.
template <class R>
IRGL_DEVICE void measure(const R& range, size_t first, size_t stride, counter_t& items, counter_t& edges) {
  items = edges = 0;
  for (size_t p = first; p < range.size(); p += stride) {
    if (!has_item(range, p)) continue;
    ++items;
    if constexpr (R::weighted)
      if (range.at(p) >= 0) edges += range.weight(range.at(p));
  }
}
}  // namespace detail
}  // namespace irgl

#ifdef __IRGL_EMU__
#define IRGL_NOT_COUNTED __attribute__((noinline, no_sanitize_coverage, no_sanitize_thread))

namespace irgl {

enum Way : unsigned { pushing = 1, pulling = 2 };

namespace detail {
template <class R>
void measure(const R& range, long* items, long* edges) {
  counter_t of_range, of_items;
  measure(range, 0, 1, of_range, of_items);
  *items = long(of_range);
  if constexpr (R::weighted) *edges = long(of_items);
}
template <class R>
void tell(const void* range, long* items, long* edges) { measure(*static_cast<const R*>(range), items, edges); }
template <class F>
void ask(const void* f, long* items, long* edges) { measure((*static_cast<const F*>(f))(), items, edges); }
}  // namespace detail

IRGL_NOT_COUNTED inline void begin_round(unsigned place, unsigned depth) { irgl_emu_begin_round(place, depth); }
IRGL_NOT_COUNTED inline void end_rounds(unsigned depth) { irgl_emu_end_rounds(depth); }
IRGL_NOT_COUNTED inline void rejoin_round() { irgl_emu_rejoin_round(); }
IRGL_NOT_COUNTED inline void goes(Way way) { irgl_emu_round_goes(way); }
IRGL_NOT_COUNTED inline void runs_over() { irgl_emu_round_runs_over(nullptr, nullptr); }
template <class F>
IRGL_NOT_COUNTED void runs_over(const F& range) {
  if (irgl_emu_in_kernel()) return irgl_emu_round_runs_over(detail::ask<F>, &range);
  const auto items = range();  // the host asks the device for their number as ever
  irgl_emu_round_runs_over(detail::tell<std::remove_cv_t<decltype(items)>>, &items);
}

template <class F>
IRGL_NOT_COUNTED void runs_over(Thread&, const F& range) { runs_over(range); }

struct RoundsOfRun {
  explicit RoundsOfRun(HostBase&) {}
  ~RoundsOfRun() { end_rounds(0); }
};

}  // namespace irgl
#else
#include "round_log.cuh"
#endif
