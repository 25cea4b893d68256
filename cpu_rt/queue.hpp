// queue<T, B>: a list in one array that all threads share, in place of an array for each (worklist.hpp). A thread
// collects B items and then puts them all behind the others, with one addition to a shared counter (the sliding queue of
// the GAP Benchmark Suite: Beamer, Asanovic and Patterson, arXiv:1508.03619). The next round finds the items in a row,
// mixed as the threads pushed them.
//
// The interface is worklist.hpp's, without reserve. The first capacity is c.worklist_capacity (0: the universe, at least
// 1024; memory that is never written costs nothing). Nothing is written beyond it: items without room wait in a segment
// of the thread that pushed them, and whoever first asks for the items makes room for all, which counts as a growth in
// c.stats. The same brings in the items that wait in unfilled buffers, so that asking is for what runs behind all pushes.
#pragma once
#include "worklist.hpp"

namespace irgl {

template <class T>
struct Row : Unweighted {  // items in an array
  using item = T;
  const T* data;
  size_t count;
  IRGL_INLINE Row(const T* d, size_t n) : data(d), count(n) {}
  IRGL_INLINE size_t size() const { return count; }
  size_t cost() const { return 1; }
  size_t work(size_t) const { return count; }
  size_t cut(size_t chunks, size_t k) const { return size_t((unsigned __int128)(count) * k / chunks); }
  static constexpr bool listed = true;
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    for (const T *p = data + from, *end = data + to; p < end; ++p) f(*p);
  }
  template <class F, class Ahead>
  IRGL_INLINE void visit_ahead(size_t from, size_t to, F&& f, Ahead&& ahead) const {
    detail::run_ahead(data + from, data + to, f, ahead);
  }
};

template <class T, unsigned buffer>
class queue {
 public:
  using item = T;
  explicit queue(Runtime& c, size_t universe = 0) : c_(&c), mine_(size_t(c.threads()), true) {
    const size_t first = c.worklist_capacity != 0 ? c.worklist_capacity : universe < 1024 ? 1024 : universe;
    items_ = Array<T>(first);
  }
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;
  ~queue() {
    for (size_t i = 0; i < mine_.size(); ++i) free(static_cast<void*>(mine_[i].left.data));
    free(static_cast<void*>(layers_.data));
  }

  IRGL_INLINE void push(Thread& t, T x) {
    Mine& m = mine_[size_t(t.id)];
    m.waiting[m.count++] = x;
    if (__builtin_expect(m.count == buffer, 0)) flush(m);
  }
  Row<T> items() {
    settle();
    return {items_.data(), taken_};
  }
  size_t size() { return settle(), taken_; }
  bool empty() { return size() == 0; }
  void clear() {
    for (size_t i = 0; i < mine_.size(); ++i) mine_[i].count = 0, mine_[i].left.size = 0;
    taken_ = layers_.size = 0;
  }
  void swap(queue& other) {
    items_.swap(other.items_), mine_.swap(other.mine_);
    const size_t n = taken_; taken_ = other.taken_; other.taken_ = n;
    const Segment<size_t> l = layers_; layers_ = other.layers_; other.layers_ = l;
  }
  template <class W>
  void update(W& other) { update_from(*c_, other.items()); }
  template <class R>
  void update_from(Runtime& c, const R& range) {
    for_each(c, range, [this](Thread& t, auto&, T x) { push(t, x); });
  }
  void stack(queue& other) {
    layers_.push(*c_, size());
    update(other);
  }
  void unstack(queue& other) {
    other.clear();
    const size_t count = size(), below = layers_.size != 0 ? layers_.data[--layers_.size] : 0;
    other.append(items_.data() + below, count - below);
    taken_ = below;
  }

 private:
  // One thread's. left: what found no room.
  struct alignas(64) Mine {
    unsigned count;
    Segment<T> left;
    T waiting[buffer];
  };

  IRGL_NOINLINE void flush(Mine& m) {
    const size_t held = m.count;  // nvcc takes `m.count <` for the beginning of a template's arguments
    const size_t at = __atomic_fetch_add(&taken_, held, __ATOMIC_RELAXED);
    const size_t room = at < items_.size() ? items_.size() - at : 0, fit = held < room ? held : room;
    if (fit != 0) memcpy(static_cast<void*>(items_.data() + at), m.waiting, fit * sizeof(T));
    const size_t rest = held - fit;
    if (rest != 0) memcpy(static_cast<void*>(m.left.reserve(*c_, rest)), m.waiting + fit, rest * sizeof(T));
    m.count = 0;
  }
  bool settled() const {
    for (size_t i = 0; i < mine_.size(); ++i)
      if (__atomic_load_n(&mine_[i].count, __ATOMIC_ACQUIRE) != 0 ||
          __atomic_load_n(&mine_[i].left.size, __ATOMIC_ACQUIRE) != 0)
        return false;
    return true;
  }
  // All that waits joins the items. Iterations of a loop that read the list may ask for it at once.
  void settle() {
    if (__builtin_expect(settled(), 1)) return;
    while (__atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE)) pause();
    const struct Held {
      bool& busy;
      ~Held() { __atomic_store_n(&busy, false, __ATOMIC_RELEASE); }
    } held{busy_};
    if (!settled()) gather();
  }
  IRGL_NOINLINE void gather() {
    size_t count = taken_ < items_.size() ? taken_ : items_.size(), more = 0;
    for (size_t i = 0; i < mine_.size(); ++i) more += mine_[i].left.size + mine_[i].count;
    make_room(count, count + more);
    T* end = items_.data() + count;
    for (size_t i = 0; i < mine_.size(); ++i) {
      Mine& m = mine_[i];
      if (m.left.size != 0) memcpy(static_cast<void*>(end), m.left.data, m.left.size * sizeof(T));
      end += m.left.size;
      if (m.count != 0) memcpy(static_cast<void*>(end), m.waiting, m.count * sizeof(T));
      end += m.count;
    }
    taken_ = count + more;
    for (size_t i = 0; i < mine_.size(); ++i) {  // last: who finds nothing waiting finds all the items
      __atomic_store_n(&mine_[i].left.size, size_t(0), __ATOMIC_RELEASE);
      __atomic_store_n(&mine_[i].count, 0u, __ATOMIC_RELEASE);
    }
  }
  void make_room(size_t kept, size_t wanted) {
    if (wanted <= items_.size()) return;
    atomic_add(c_->stats.worklist_growths, 1);  // others may grow lists of theirs meanwhile
    Array<T> bigger(wanted > 2 * items_.size() ? wanted : 2 * items_.size());
    if (kept != 0) memcpy(static_cast<void*>(bigger.data()), items_.data(), kept * sizeof(T));
    items_.swap(bigger);
  }
  void append(const T* from, size_t count) {  // to an empty one
    make_room(0, count);
    if (count != 0) memcpy(static_cast<void*>(items_.data()), from, count * sizeof(T));
    taken_ = count;
  }

  Runtime* c_;
  Array<T> items_;
  Array<Mine> mine_;
  Segment<size_t> layers_;  // where the layers begin
  bool busy_ = false;
  alignas(64) size_t taken_ = 0;  // places given away, those beyond the array included
};

}  // namespace irgl
