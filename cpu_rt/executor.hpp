// for_each: every ForAll of the language, outermost or nested, is one call of it, and its operator's text stands once.
//
//   outermost  irgl::for_each(c, RANGE, REDUCERS..., [=, &c, &wl](irgl::Thread& t, auto& inner, item x, ACCS&...) {...});
//   nested     inner.for_each(t, RANGE, REDUCERS..., [&](irgl::Thread& t, auto& inner, item y, ACCS&...) {...});
// The outermost operator captures the graph view and scalars by value (each thread works on a private copy, so that the
// compiler may keep them in registers) and lists, locks and the context by reference. A nested one captures by &.
//
// inner is how nested loops run: SerialInner (a plain loop on this thread) for ordinary items, ParallelInner (all
// threads) for a giant one: an item whose weight exceeds c.giant is put aside, and run by the calling thread after the
// other items with its nested loops spread over all threads. Both are the same operator, so a location owned by the
// outer item (n.x, an outer local) is written in the nested loop by irgl::reduce_add<IRGL_SHARED(inner)>(loc, v), which
// is plain under the one and atomic under the other; `inner` there is the one the owner's operator received.
// irgl::for_each_alone_apart(c, ...) is the same loop, of whose operator there is a third instance: where one thread runs
// it, and nobody else can be at work, inner is an AloneInner, and reduce_add<IRGL_RACED(inner)> and the locks are plain.
//
// Order: the range cuts itself so that a chunk holds about c.chunk_work edges of work; a thread takes its own
// contiguous share of the chunks, of a list what it has pushed itself, then the last of others' (share.hpp). So it
// meets in round after round what its cache holds. A loop with less work than c.serial_work is run by its caller and
// wakes nobody; so is one of somewhat more while all helpers sleep (c.helped), and one that one thread was faster at
// before, of which there are two instances (habit.hpp). In a large graph much less than c.serial_work is enough
// (c.least_shared). A loop ends when all is done and visible to the caller; no operator starts an outermost one. Where
// memory ends (std::bad_alloc) no more chunks are taken, and the caller gets it.
#pragma once
#include "by_degree.hpp"
#include "first_edges.hpp"
#include "inner.hpp"
#include "job.hpp"
#include "rows.hpp"

namespace irgl {

namespace detail {

// One loop being run. aside_ keeps the giants for all threads together.
template <class R, class P, class Op, bool alone_apart>
class Job : AnyJob {
 public:
  Job(Runtime& c, const R& range, const P& pack, const Op& op)
      : AnyJob(c, work<OneThread<alone_apart>>, work<SerialInner>), range_(range), pack_(pack), op_(op) {}

  IRGL_INLINE void run() {
    static const char site = 0;
    if (range_.size() == 0) return;
    bool one = false;
    if constexpr (R::ranked) one = range_.in_order();
    if (one || c_.threads() == 1 || c_.most() == 1) run_alone();
    else decide(range_.work(c_.least_shared()), range_.size(), range_.cost(), &site, alone_apart, parts(&range_));
    if constexpr (R::weighted) run_giants();
  }

 private:
  using Item = typename R::item;
  static constexpr size_t most_aside = R::weighted ? 256 : 1;

  static const size_t* parts(const void*) { return nullptr; }
  template <class T>
  static const size_t* parts(const Segments<T>* list) { return list->start; }

  template <class Inner>
  static void work(AnyJob& job, Thread& t) {
    Job& of = static_cast<Job&>(job);
    Op op = of.op_;
    const R range = of.range_;  // a copy, which no store by the operator can change
    const size_t giant = of.c_.giant;
    typename P::Local acc = of.pack_.neutral();
    Inner inner;
    auto one = [&](Item x) __attribute__((always_inline)) {
      if constexpr (R::weighted) {
        if (__builtin_expect(range.weight(x) > giant, 0) && of.put_aside(x)) return;
      }
      P::call(op, t, inner, x, acc);
    };
    bool seeded = false;
    if constexpr (R::ranked) if ((seeded = of.threads_ == 1 && range.in_order())) range.seed(t);
    Turn turn = of.begin(t);
    for (size_t k; !seeded && of.take(turn, k);) range.visit(range.cut(of.chunks_, k), range.cut(of.chunks_, k + 1), one);
    if constexpr (R::fused) range.drain(t, one, of.threads_ == 1);
    while (__atomic_exchange_n(&of.busy_, true, __ATOMIC_ACQUIRE)) pause();
    of.pack_.combine(acc);
    __atomic_store_n(&of.busy_, false, __ATOMIC_RELEASE);
  }

  bool put_aside(Item x) {
    if (threads_ == 1) return false;
    const size_t k = __atomic_fetch_add(&asides_, 1, __ATOMIC_RELAXED);
    if (k >= most_aside) return false;  // no room: run here
    aside_[k] = x;
    return true;
  }

  IRGL_NOINLINE void run_giants() {
    if (asides_ == 0) return;
    const size_t count = asides_ < most_aside ? asides_ : most_aside;
    c_.stats.giants += int64_t(count);
    Op op = op_;
    typename P::Local acc = pack_.neutral();
    ParallelInner inner;
    for (size_t k = 0; k < count; ++k) P::call(op, c_.host(), inner, aside_[k], acc);
    pack_.combine(acc);
  }

  const R& range_;
  const P& pack_;
  const Op& op_;
  alignas(64) size_t asides_ = 0;
  bool busy_ = false;
  Item aside_[most_aside];
};

template <bool alone_apart, class R, class... A>
inline void run_job(Runtime& c, const R& range, A&&... a) {
  auto body = [&](const auto& pack, const auto& op) {
    using P = std::remove_const_t<std::remove_reference_t<decltype(pack)>>;
    using Op = std::remove_const_t<std::remove_reference_t<decltype(op)>>;
    Job<R, P, Op, alone_apart> job(c, range, pack, op);
    job.run();
  };
  split_last(body, std::make_index_sequence<sizeof...(A) - 1>(), a...);
}
}  // namespace detail

template <class R, class... A>
inline void for_each(Runtime& c, const R& range, A&&... a) {
  detail::run_job<false>(c, range, a...);
}
template <class R, class... A>
inline void for_each_alone_apart(Runtime& c, const R& range, A&&... a) {
  detail::run_job<true>(c, range, a...);
}

template <class R, class... A>
IRGL_INLINE void ParallelInner::for_each(Thread& t, const R& range, A&&... a) {
  irgl::for_each(*t.rt, range, a...);
}

}  // namespace irgl
