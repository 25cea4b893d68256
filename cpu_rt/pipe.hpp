// Lists of a Pipe, with Respawn and Retry.
//
//     irgl::Pipe<irgl::list<node_t>> wl(c, g.n);
//     wl.push(t, x)      x is for the next invocation (out list); from the host before the loop: wl.in.push(c.host(), x)
//     wl.respawn(t, x)   run x again within this invocation, asynchronously: the thread that respawned it works it off
//                        after its own share, first in first out, as long as it has fewer than c.fuse_limit waiting;
//                        more are shared with all threads in a further round of this invocation
//     wl.retry(t, x)     run x again within this invocation, in a further round (the operator failed and returns)
//     irgl::Pipe<L, false>    the same for kernels that never respawn or retry (more() is false): cheaper small rounds
// One invocation of a kernel over the in list, and the step to the next:
//     do irgl::for_each(c, irgl::by_out(g, wl.items()), op); while (wl.more());
//     wl.advance();                                  in = what was pushed, out = empty
// A kernel that runs over something else (nodes(g)) and may respawn: irgl::Retries<node_t> again(c); then
//     irgl::for_each(c, irgl::by_out(g, again.with(irgl::nodes(g))), op);
//     while (again.more()) irgl::for_each(c, irgl::by_out(g, again.items()), op);
// Progress: a round of few retried items is run by one thread (c.serial_work), where no Exclusive fails.
#pragma once
#include "worklist.hpp"

namespace irgl {
namespace detail {

// Work off a thread's own waiting items batch by batch while they are few (bucket fusion: Zhang et al., CGO 2020).
template <class T, class F>
IRGL_INLINE void work_off(Thread& t, Segment<T>& waiting, Segment<T>& batch, F& one) {
  size_t done = 0;
  const size_t limit = t.rt->fuse_limit;
  while (waiting.size != 0 && waiting.size < limit) {
    const Segment<T> mine = waiting;
    waiting = batch;
    waiting.size = 0;
    for (size_t i = 0; i < mine.size; ++i) one(mine.data[i]);
    done += mine.size;
    batch = mine;
  }
  if (done != 0) atomic_add(t.rt->stats.fused, int64_t(done));
}

template <class R, class Source>
struct Fused : R {
  static constexpr bool fused = true;
  Source* source;
  Fused(const R& range, Source* from) : R(range), source(from) {}
  size_t work(size_t limit) const { return R::work(limit) * 8; }  // an item brings others with it: share them sooner
  template <class F>
  IRGL_INLINE void drain(Thread& t, F& one) const { source->drain(t, one); }
};
}  // namespace detail

template <class T>
class Retries {
 public:
  explicit Retries(Runtime& c) : now_(c), later_(c), batch_(c), front_(c) {}
  IRGL_INLINE void respawn(Thread& t, T x) { now_.push(t, x); }
  IRGL_INLINE void retry(Thread& t, T x) { later_.push(t, x); }

  template <class R>
  detail::Fused<R, Retries> with(const R& range) { return {range, this}; }
  detail::Fused<Segments<T>, Retries> items() { return {front_.items(), this}; }

  bool more() {  // the next round of this invocation: whether there is one
    front_.clear();
    front_.swap(later_);
    if (!now_.empty()) front_.update(now_), now_.clear();
    return !front_.empty();
  }
  template <class F>
  IRGL_INLINE void drain(Thread& t, F& one) { detail::work_off(t, now_.part(t.id), batch_.part(t.id), one); }
  list<T>& front() { return front_; }

 private:
  list<T> now_, later_, batch_, front_;
};

template <class L, bool respawns = true>
class Pipe {
 public:
  using item = typename L::item;
  explicit Pipe(Runtime& c, size_t universe = 0) : in(c, universe), out(c, universe), again_(c) {}
  IRGL_INLINE void push(Thread& t, item x) { out.push(t, x); }
  IRGL_INLINE void push_own(Thread& t, item x) { out.push_own(t, x); }  // dense kinds: see dense.hpp
  IRGL_INLINE void respawn(Thread& t, item x) { again_.respawn(t, x); }
  IRGL_INLINE void retry(Thread& t, item x) { again_.retry(t, x); }

  auto items() {
    if constexpr (respawns) return again_.with(in.items());
    else return in.items();
  }
  bool more() {
    if (!respawns || !again_.more()) return false;
    if constexpr (std::is_same_v<L, list<item>>) in.swap(again_.front());
    else in.clear(), in.update(again_.front());
    return true;
  }
  void advance() {
    in.swap(out);
    out.clear();
  }
  bool empty() { return in.empty(); }
  size_t size() { return in.size(); }
  void clear() { in.clear(), out.clear(); }

  L in, out;

 private:
  Retries<item> again_;
};

}  // namespace irgl
