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
// Order: the range cuts itself so that a chunk holds about c.chunk_work edges of work; a thread takes its own contiguous
// share of the chunks, then from others'. So it meets in round after round what its cache holds. A loop with less work
// than c.serial_work is run by its caller and wakes nobody. A loop ends when all is done and visible to the caller; no
// operator starts an outermost one. Where memory ends (std::bad_alloc) no more chunks are taken, and the caller gets it.
#pragma once
#include "inner.hpp"
#include "ranges.hpp"

namespace irgl {

namespace detail {

// One loop being run. aside_ keeps the giants for all threads together.
template <class R, class P, class Op, bool alone_apart>
class Job {
 public:
  Job(Runtime& c, const R& range, const P& pack, const Op& op) : c_(c), range_(range), pack_(pack), op_(op) {}

  IRGL_INLINE void run() {
    if (range_.size() == 0) return;
    const size_t work = range_.work(c_.serial_work);
    bool one = c_.threads() == 1 || work <= c_.serial_work;
    if constexpr (R::ranked) one = one || range_.in_order();
    if (one) {
      ++c_.stats.serial_loops;
      threads_ = chunks_ = 1;
      deal();
      this->work<OneThread<alone_apart>>(c_.host());
      return;
    }
    ++c_.stats.parallel_loops;
    threads_ = size_t(c_.threads());
    chunks_ = chunks(work);
    deal();
    bool out_of_memory = false;  // an exception must not leave the parallel region
#pragma omp parallel num_threads(int(threads_))
    {
      try {
        this->work<SerialInner>(c_.thread(omp_get_thread_num()));
      } catch (const std::bad_alloc&) {
        store(out_of_memory, true);
        abandon();
      }
    }
    if (out_of_memory) throw std::bad_alloc();
    if constexpr (R::weighted) run_giants();
  }

 private:
  using Item = typename R::item;
  static constexpr size_t most_aside = R::weighted ? 256 : 1;

  size_t chunks(size_t work) const {
    const size_t least = size_t(c_.threads()) * 16;  // enough to even out what the weights do not tell
    const size_t most = range_.size() / (range_.cost() >= 64 ? 1 : 64) + 1;
    size_t wanted = work / c_.chunk_work + 1;
    if (wanted > least * 8) wanted = least * 8;      // a chunk costs a search in the rows and a counter: no need of more
    if (wanted > most || most < least) return most;
    return wanted < least ? least : wanted;
  }

  void deal() {
    for (size_t i = 0; i < threads_; ++i) {
      Thread& t = c_.thread(int(i));
      t.next = chunks_ * i / threads_;
      t.end = chunks_ * (i + 1) / threads_;
    }
  }

  void abandon() {
    for (size_t i = 0; i < threads_; ++i) store(c_.thread(int(i)).next, c_.thread(int(i)).end);
  }

  template <class Inner>
  IRGL_NOINLINE void work(Thread& t) {
    Op op = op_;
    const R range = range_;  // a copy, which no store by the operator can change
    const size_t giant = c_.giant;
    typename P::Local acc = pack_.neutral();
    Inner inner;
    auto one = [&](Item x) __attribute__((always_inline)) {
      if constexpr (R::weighted) {
        if (__builtin_expect(range.weight(x) > giant, 0) && put_aside(x)) return;
      }
      P::call(op, t, inner, x, acc);
    };
    bool seeded = false;
    if constexpr (R::ranked) if ((seeded = threads_ == 1 && range.in_order())) range.seed(t);
    for (size_t i = 0, owner = size_t(t.id); i < threads_ && !seeded; ++i, owner = owner + 1 < threads_ ? owner + 1 : 0) {
      Thread& from = c_.thread(int(owner));
      for (size_t k; load(from.next) < from.end && (k = __atomic_fetch_add(&from.next, 1, __ATOMIC_RELAXED)) < from.end;)
        range.visit(range.cut(chunks_, k), range.cut(chunks_, k + 1), one);
    }
    if constexpr (R::fused) range.drain(t, one, threads_ == 1);
    while (__atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE)) pause();
    pack_.combine(acc);
    __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
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

  Runtime& c_;
  const R& range_;
  const P& pack_;
  const Op& op_;
  size_t threads_ = 1, chunks_ = 1;
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
