// buckets<T>: a priority worklist; items of the smallest priority run first (delta-stepping: Meyer and Sanders, 2003;
// thread-local bins and fusion: Zhang et al., CGO 2020, and the GAP Benchmark Suite).
//
//     irgl::buckets<node_t> wl(c);
//     wl.push(c.host(), src, 0);
//     while (wl.advance())                                     // the smallest non-empty bucket becomes the items
//       do irgl::for_each(c, irgl::by_degree(g.out(), wl.items()), [=, &wl](irgl::Thread& t, auto& inner, node_t n) {
//         if (g.dist[n] / delta < wl.priority()) return;       // the program's test for a stale item
//         ... wl.push(t, dst, g.dist[dst] / delta); });
//       while (wl.more());                                     // what was pushed into that bucket, until it is drained
//     wl.join()       behind what runs no bucket: what it pushed into the one that is to run joins its items
// A priority below the running one counts as the running one, the largest int64_t as the one before it, so that each
// window has an end. Items pushed into the running bucket are executed by the thread that pushed them while it has
// fewer than c.fuse_limit of them; the rest are the next items of `more`. Duplicates are kept.
// Each thread has a window of open bins, as many as a power of two; items beyond it wait unsorted and are sorted in
// when the window has run empty, so that the space does not depend on the largest priority. Far says what is kept of
// those.
// size() is the number of items of the current advance.
#pragma once
#include "pipe.hpp"

namespace irgl {

namespace detail {
template <class T>
struct AsPushed {  // what waits beyond the window has the priority that it was pushed with
  struct entry { int64_t priority; T item; };
  IRGL_INLINE bool wants(T) const { return true; }
  IRGL_INLINE entry kept(T x, int64_t priority) const { return {priority, x}; }
  bool stays(const entry&, int64_t) const { return true; }
  int64_t priority(const entry& e) const { return e.priority; }
  T opened(const entry& e) const { return e.item; }
};
}  // namespace detail

template <class T, class Far = detail::AsPushed<T>>
class buckets {
 public:
  using item = T;
  explicit buckets(Runtime& c, size_t universe = 0, Far far = {}, size_t window = 1024, size_t first = 0)
      : far_(static_cast<Far&&>(far)), c_(&c), last_bin_(window - 1), open_(first == 0 ? window : first),
        bins_(size_t(c.threads()), true), front_(c), batch_(c), late_(c), still_late_(c) {
    (void)universe;
    for (size_t i = 0; i < bins_.size(); ++i)
      bins_[i] = {allocate_array<Segment<T>>(window, true), highest<int64_t>()};
  }
  buckets(const buckets&) = delete;
  buckets& operator=(const buckets&) = delete;
  ~buckets() {
    for (size_t i = 0; i < bins_.size(); ++i) {
      for (size_t k = 0; bins_[i].open != nullptr && k <= last_bin_; ++k) free(static_cast<void*>(bins_[i].open[k].data));
      free(static_cast<void*>(bins_[i].open));
    }
  }

  IRGL_INLINE void push(Thread& t, T x, int64_t priority) {
    Bins& mine = bins_[size_t(t.id)];
    if (priority < current_) priority = current_;
    priority -= priority == highest<int64_t>();
    if (__builtin_expect(priority < end_, 1)) mine.open[size_t(priority) & last_bin_].push(*c_, x);
    else move_far(t, x, priority);
  }
  IRGL_INLINE int64_t priority() const { return current_; }
  IRGL_INLINE int64_t end() const { return end_; }  // of the window
  detail::Fused<Segments<T>, buckets> items() { return {front_.items(), this}; }
  size_t size() const { return front_.size(); }
  bool empty() const { return front_.empty(); }

  bool more() {
    if (front_.empty()) return false;  // there was no bucket to run: what was pushed is the next one's
    front_.clear();
    return take();
  }
  void join() {
    if (front_.empty()) {
      advance();
      return;
    }
    for (size_t i = 0; i < bins_.size(); ++i) {
      Segment<T>& bin = bins_[i].open[size_t(current_) & last_bin_];
      if (bin.size != 0) memcpy(front_.part(int(i)).reserve(*c_, bin.size), bin.data, bin.size * sizeof(T));
      bin.size = 0;
    }
  }
  bool advance() {
    front_.clear();
    for (const int64_t last = current_;;) {
      for (; current_ < end_; ++current_)
        if (take()) return true;
      if (!reopen()) return back_to(last), false;  // what is pushed from now on comes no sooner than what has run
    }
  }
  void clear() {
    front_.clear();
    for (size_t i = 0; i < bins_.size(); ++i) {
      for (size_t k = 0; k <= last_bin_; ++k) bins_[i].open[k].size = 0;
    }
    const Segments<Late> far = late_.items();
    far.visit(0, far.size(), [&](const Late& x) { far_.opened(x); });
    late_.clear();
    current_ = end_ = lowest<int64_t>();
  }
  template <class F, class Ahead>
  IRGL_INLINE void drain(Thread& t, F& one, bool, detail::Unranked, Ahead& ahead) {
    detail::work_off(t, bins_[size_t(t.id)].open[size_t(current_) & last_bin_], batch_.part(t.id), one,
                     t.rt->fuse_limit, ahead);
  }

 protected:
  IRGL_INLINE void note_far(Thread& t, int64_t priority) { plain_min(bins_[size_t(t.id)].least, priority); }
  void back_to(int64_t priority) { current_ = priority, end_ = priority + 1; }  // where nothing waits: a window of one

  Far far_;
  Runtime* c_;

 private:
  using Late = typename Far::entry;
  struct alignas(64) Bins {
    Segment<T>* open;
    int64_t least;  // no item of this thread's waits nearer, beyond the window
  };

  IRGL_INLINE void move_far(Thread& t, T x, int64_t priority) {
    note_far(t, priority);
    if (far_.wants(x)) late_.push(t, far_.kept(x, priority));
  }
  bool take() {  // swap the running bucket's bins for the empty segments in front
    bool found = false;
    for (size_t i = 0; i < bins_.size(); ++i) {
      Segment<T>& bin = bins_[i].open[size_t(current_) & last_bin_];
      if (bin.size == 0) continue;
      found = true;
      Segment<T>& front = front_.part(int(i));
      const Segment<T> full = bin;
      bin = front;
      front = full;
    }
    return found;
  }
  bool reopen() {  // all open bins are empty: move the window to where the first item waits, or one that has moved on
    if (late_.empty()) return false;
    const int64_t before = end_;
    int64_t least = highest<int64_t>();
    for (size_t i = 0; i < bins_.size(); ++i) plain_min(least, bins_[i].least), bins_[i].least = highest<int64_t>();
    if (least > current_) current_ = least;
    const int64_t window = int64_t(open_);
    end_ = current_ > highest<int64_t>() - window ? highest<int64_t>() : current_ + window;
    const auto move = [&](Thread& t, Late x) {
      if (!far_.stays(x, before)) {
        far_.opened(x);
        return;
      }
      Bins& mine = bins_[size_t(t.id)];
      const int64_t priority = far_.priority(x) < current_ ? current_ : far_.priority(x);
      if (priority < end_) mine.open[size_t(priority) & last_bin_].push(*c_, far_.opened(x));
      else still_late_.push(t, x), plain_min(mine.least, priority);
    };
    constexpr size_t few = 4096;  // which stay with their threads
    for (size_t i = 0; i < bins_.size() && late_.size() < few; ++i)
      for (size_t k = 0; k < late_.part(int(i)).size; ++k) move(c_->thread(int(i)), late_.part(int(i)).data[k]);
    if (late_.size() >= few) for_each(*c_, late_.items(), [&](Thread& t, auto&, Late x) { move(t, x); });
    const size_t left = still_late_.size();  // what has been looked at in vain
    if ((late_.size() - left) * least_share < left && open_ <= last_bin_) open_ *= 2;
    late_.clear();
    late_.swap(still_late_);
    return true;
  }

  static constexpr size_t least_share = 1024;  // so small a part of what waits should come with a window at least
  size_t last_bin_, open_;  // of the ring; how many bins a window has
  Array<Bins> bins_;
  list<T> front_, batch_;
  list<Late> late_, still_late_;  // beyond the window; still_late_ is empty but while it moves
  int64_t current_ = lowest<int64_t>();
  int64_t end_ = lowest<int64_t>();
};

}  // namespace irgl
