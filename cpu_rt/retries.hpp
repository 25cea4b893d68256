// What comes back to a running loop, by Respawn and Retry: pipe.hpp says how it is used.
#pragma once
#include "ranked.hpp"
#include "worklist.hpp"

namespace irgl {
namespace detail {

// Work off a thread's own waiting items batch by batch while they are few (bucket fusion: Zhang et al., CGO 2020), and
// have few edges where others could take some. ahead: as that of visit_ahead (ranges.hpp); few(items, limit) tells.
template <class T, class F, class Ahead>
IRGL_INLINE void work_off(Thread& t, Segment<T>& waiting, Segment<T>& batch, F& one, size_t limit, Ahead&& ahead) {
  size_t done = 0;
  const bool shared = t.rt->threads() > 1;
  while (waiting.size != 0 && waiting.size < limit && (!shared || ahead.few(waiting.data, waiting.size, limit))) {
    const Segment<T> mine = waiting;
    waiting = batch;
    waiting.size = 0;
    batch = mine;  // before the first item: where memory ends, each segment has one owner
    run_ahead(mine.data, mine.data + mine.size, one, ahead);
    done += mine.size;
  }
  if (done != 0) atomic_add(t.rt->stats.fused, int64_t(done));
}

template <class T>
struct alignas(64) Lone : Ranked<T> {};

struct NothingAhead {
  template <class T>
  IRGL_INLINE void operator()(const T&, const T&) const {}
  template <class T>
  IRGL_INLINE bool few(const T*, size_t, size_t) const { return true; }
};
struct Unranked {
  static constexpr bool ranks = false, drops = false;
};

template <class R, class Source>
struct Fused : R {
  static constexpr bool fused = true;
  Source* source;
  Fused(const R& range, Source* from) : R(range), source(from) {}
  size_t work(size_t limit) const { return R::work(limit) * 8; }  // an item brings others with it: share them sooner
  template <class F, class Ahead = NothingAhead>
  IRGL_INLINE void drain(Thread& t, F& one, bool alone, Ahead&& ahead = {}) const {
    source->drain(t, one, alone, Unranked{}, ahead);
  }
};
// The same, of items whose rank can be told.
template <class R, class Source, class Rank>
struct FusedRanked : R {
  static constexpr bool fused = true, ranked = true;
  Source* source;
  Rank rank;
  FusedRanked(const R& range, Source* from, const Rank& by) : R(range), source(from), rank(by) {}
  size_t work(size_t limit) const { return R::work(limit) * 8; }
  template <class F, class Ahead = NothingAhead>
  IRGL_INLINE void drain(Thread& t, F& one, bool alone, Ahead&& ahead = {}) const {
    source->drain(t, one, alone, rank, ahead);
  }
  bool in_order() const { return source->in_order(); }
  IRGL_INLINE void seed(Thread& t) const {
    R::visit(0, this->size(), [&](typename R::item x) { source->respawn(t, x, rank(x)); });
  }
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
    if (__builtin_expect(load(misled_), 0)) now_.push(t, x);
    else ranked_[size_t(t.id)].push(*c_, x, rank);
  }
  IRGL_INLINE void retry(Thread& t, T x) { later_.push(t, x); }

  template <class R>
  detail::Fused<R, Retries> with(const R& range) { return {range, this}; }
  template <class R, class Rank>
  detail::FusedRanked<R, Retries, Rank> with(const R& range, const Rank& rank) { return {range, this, rank}; }
  detail::Fused<Segments<T>, Retries> items() { return {front_.items(), this}; }

  bool more() {  // the next round of this invocation: whether there is one
    front_.clear();
    front_.swap(later_);
    if (!now_.empty()) front_.update(now_), now_.clear();
    share_ranked();
    if (front_.empty()) begin_ranking();
    return !front_.empty();
  }
  // alone: this thread runs the whole loop. What came back with a rank is worked off in the order of ranks; by several
  // threads only up to that of the round's last item.
  template <class F, class Rank, class Ahead>
  IRGL_INLINE void drain(Thread& t, F& one, bool alone, const Rank& rank, Ahead& ahead) {
    const bool single = c_->threads() == 1 && c_->fuse_limit > 1;
    const size_t limit = single ? ~size_t(0) : c_->fuse_limit;
    if constexpr (Rank::ranks) work_off_ranked(t, one, alone, rank);
    detail::work_off(t, now_.part(t.id), batch_.part(t.id), one, limit, ahead);
  }
  list<T>& front() { return front_; }
  bool in_order() const { return !misled_ && !sharing_ && !off(); }  // does one thread run the round, by ranks?

 private:
  template <class F, class Rank>
  IRGL_INLINE void work_off_ranked(Thread& t, F& one, bool alone, const Rank& rank) {
    const size_t limit = c_->threads() == 1 ? ~size_t(0) : c_->fuse_limit;
    detail::Lone<T>& mine = ranked_[size_t(t.id)];
    size_t done = 0;
    while (mine.size() != 0 && !load(misled_) && !off()) {
      if (mine.now().size == 0) {
        if (!alone) break;
        mine.next(*c_);
      }
      if (shareable(mine)) break;
      while (mine.now().size != 0 && (alone || mine.now().size < limit)) {
        const typename Ranked<T>::Entry e = mine.take();
        if constexpr (Rank::drops) if (rank(e.item) != e.rank) continue;  // there is a better one of this item
        one(e.item), ++done;
      }
      if (__builtin_expect(mine.misled(), 0)) store(misled_, true);
    }
    if (done != 0) atomic_add(c_->stats.fused, int64_t(done));
  }
  // What waits with a rank joins the round: those of the least, if they are enough for all threads, else one, from which
  // a thread goes on by itself. Out of order several times as many items are run, which a few threads don't make up for.
  void share_ranked() {
    detail::Lone<T>& all = ranked_[0];
    for (size_t i = 1; i < ranked_.size(); ++i)
      ranked_[i].move_to([&](T x, uint64_t rank) { all.push(*c_, x, rank); });
    if (all.size() == 0) return;
    sharing_ = misled_ || off();
    if (sharing_) return all.move_to([&](T x, uint64_t) { front_.push(c_->host(), x); });
    if (all.now().size == 0) all.next(*c_);
    const uint64_t floor = all.floor();
    const size_t wanted = shareable(all) ? vast(all) ? all.size() / 4 : all.now().size : 1;
    sharing_ = wanted > 1;
    while (front_.size() < wanted) {
      if (all.now().size == 0) all.next(*c_);
      front_.push(c_->host(), all.take().item);
    }
    for (size_t i = 0; i < ranked_.size(); ++i) ranked_[i].at_work(floor, all.last());
  }
  void begin_ranking() {
    for (size_t i = 0; i < ranked_.size(); ++i) ranked_[i].begin();
    misled_ = sharing_ = false;
  }
  bool vast(const Ranked<T>& q) const { return c_->threads() >= 8 && q.size() / 32 >= c_->fuse_limit; }
  bool shareable(Ranked<T>& q) const {
    return c_->threads() > 1 && (q.now().size >= c_->fuse_limit || vast(q));
  }
  bool off() const { return c_->fuse_limit <= 1; }
  Runtime* c_;
  list<T> now_, later_, batch_, front_;
  Array<detail::Lone<T>> ranked_;
  bool misled_ = false, sharing_ = false;
};

}  // namespace irgl
