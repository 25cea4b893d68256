// Lists of a Pipe, with Respawn and Retry.
//
//     irgl::Pipe<irgl::list<node_t>> wl(c, g.n);
//     wl.push(t, x)      x is for the next invocation (out list); from the host before the loop: wl.in.push(c.host(), x)
//     wl.respawn(t, x)   run x again within this invocation, asynchronously: the thread that respawned it works it off
//                        after its own share, first in first out, as long as it has fewer than c.fuse_limit waiting;
//                        more are shared with all threads in a further round of this invocation
//     wl.respawn(t, x, irgl::rank_least(v))    the same, x having just got the value v: a thread takes the least first
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
#include "ranked.hpp"
#include "worklist.hpp"

namespace irgl {
namespace detail {

// Work off a thread's own waiting items batch by batch while they are few (bucket fusion: Zhang et al., CGO 2020).
template <class T, class F>
IRGL_INLINE void work_off(Thread& t, Segment<T>& waiting, Segment<T>& batch, F& one, size_t limit) {
  size_t done = 0;
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

template <class T>
struct alignas(64) Lone : Ranked<T> {};

template <class R, class Source>
struct Fused : R {
  static constexpr bool fused = true;
  Source* source;
  Fused(const R& range, Source* from) : R(range), source(from) {}
  size_t work(size_t limit) const { return R::work(limit) * 8; }  // an item brings others with it: share them sooner
  template <class F>
  IRGL_INLINE void drain(Thread& t, F& one, bool alone) const { source->drain(t, one, alone); }
};
}  // namespace detail

template <class T>
class Retries {
 public:
  explicit Retries(Runtime& c)
      : c_(&c), now_(c), later_(c), batch_(c), front_(c), ranked_(size_t(c.threads()), true) {}
  Retries(const Retries&) = delete;
  Retries& operator=(const Retries&) = delete;
  ~Retries() {
    for (size_t i = 0; i < ranked_.size(); ++i) ranked_[i].release();
  }
  IRGL_INLINE void respawn(Thread& t, T x) { now_.push(t, x); }
  IRGL_INLINE void respawn(Thread& t, T x, uint64_t rank) {
    if (__builtin_expect(misled_, 0)) now_.push(t, x);
    else ranked_[size_t(t.id)].push(*c_, x, rank);
  }
  IRGL_INLINE void retry(Thread& t, T x) { later_.push(t, x); }

  template <class R>
  detail::Fused<R, Retries> with(const R& range) { return {range, this}; }
  detail::Fused<Segments<T>, Retries> items() { return {front_.items(), this}; }

  bool more() {  // the next round of this invocation: whether there is one
    front_.clear();
    front_.swap(later_);
    if (!now_.empty()) front_.update(now_), now_.clear();
    share_ranked();
    return !front_.empty();
  }
  // alone: this thread runs the whole loop. What came back with a rank is worked off in the order of ranks; by several
  // threads only up to that of the round's last item.
  template <class F>
  IRGL_INLINE void drain(Thread& t, F& one, bool alone) {
    const bool single = c_->threads() == 1 && c_->fuse_limit > 1;
    const size_t limit = single ? ~size_t(0) : c_->fuse_limit;
    detail::work_off(t, now_.part(t.id), batch_.part(t.id), one, limit);
    detail::Lone<T>& mine = ranked_[size_t(t.id)];
    size_t done = 0;
    while (mine.size() != 0 && !misled_ && c_->fuse_limit > 1) {
      if (mine.now().size == 0) {
        if (!alone) break;
        mine.next(*c_);
      }
      if (!single && (mine.now().size >= limit || mine.size() / many >= limit)) break;
      while (mine.now().size != 0 && (alone || mine.now().size < limit)) one(mine.take()), ++done;
      if (__builtin_expect(mine.misled(), 0)) store(misled_, true);
    }
    if (done != 0) atomic_add(c_->stats.fused, int64_t(done));
    if (alone) detail::work_off(t, now_.part(t.id), batch_.part(t.id), one, limit);
  }
  list<T>& front() { return front_; }

 private:
  // What waits with a rank joins the round: those that are least, if they are enough for all threads or if nearly nothing
  // would be left, else one, from which a thread goes on by itself: items out of order cost more than it takes alone.
  void share_ranked() {
    detail::Lone<T>& all = ranked_[0];
    for (size_t i = 1; i < ranked_.size(); ++i)
      ranked_[i].move_to([&](T x, uint64_t rank) { all.push(*c_, x, rank); });
    if (all.size() == 0) return;
    if (misled_ || c_->fuse_limit <= 1) return all.move_to([&](T x, uint64_t) { front_.push(c_->host(), x); });
    if (all.now().size == 0) all.next(*c_);
    const uint64_t floor = all.floor();
    const bool vast = all.size() / many >= c_->fuse_limit;
    const size_t wanted = vast ? all.size() / 4 : all.now().size >= c_->fuse_limit ? all.now().size : 1;
    while (front_.size() < wanted) {
      if (all.now().size == 0) all.next(*c_);
      front_.push(c_->host(), all.take());
    }
    for (size_t i = 0; i < ranked_.size(); ++i) ranked_[i].at_work(floor, all.last());
  }
  static constexpr size_t many = 32;
  Runtime* c_;
  list<T> now_, later_, batch_, front_;
  Array<detail::Lone<T>> ranked_;
  bool misled_ = false;
};

template <class L, bool respawns = true>
class Pipe {
 public:
  using item = typename L::item;
  explicit Pipe(Runtime& c, size_t universe = 0) : in(c, universe), out(c, universe), again_(c) {}
  IRGL_INLINE void push(Thread& t, item x) { out.push(t, x); }
  IRGL_INLINE void push_own(Thread& t, item x) { out.push_own(t, x); }  // dense kinds: see dense.hpp
  template <class... Rank>
  IRGL_INLINE void respawn(Thread& t, item x, Rank... rank) { again_.respawn(t, x, rank...); }
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
