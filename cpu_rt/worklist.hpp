// Worklists: one interface, several kinds; a plan exchanges the kind by exchanging the type.
//
//     Kind<T> wl(c, universe)          universe: how many different items there can be (a list ignores it)
//     wl.push(t, item)                 from an operator, or from the host with c.host()
//     T* p = wl.reserve(t, k)          k slots, all to be filled by this thread (list, count-free kinds only)
//     wl.items()                       the range for for_each; valid until the next push, swap, clear or update
//     wl.size()  wl.empty()            exact, on the host between loops
//     wl.swap(other)  wl.clear()       constant time (plus, in dense kinds, the clearing)
//     wl.update(other)                 other's items join, other keeps them
//     wl.update_from(c, range)         all that a range yields joins: nodes(g), another list's items()
//     wl.stack(other)  wl.unstack(other)    lists only: other's items join as a layer; other gets the newest layer, and
//                                      what was pushed since, in place of its items
// Kinds here: list (order of arrival per thread, duplicates kept) and count (only how many). A list in one array:
// queue.hpp; dense kinds and sets: dense.hpp, set.hpp; priorities: buckets.hpp; Respawn and Retry: pipe.hpp.
// A list is one growable segment per thread, read in place by the next round: no shared counter, no copy, no overflow.
// The first capacity of a segment is c.worklist_capacity (0: 1024), each growth doubles and is counted in c.stats.
#pragma once
#include "executor.hpp"

namespace irgl {

template <class T>
class list {
 public:
  using item = T;
  explicit list(Runtime& c, size_t universe = 0) : c_(&c), parts_(size_t(c.threads()), true) {
    (void)universe;
    start_ = Array<size_t>(size_t(c.threads()) + 1, true);
  }
  list(list&&) noexcept = default;
  list& operator=(list&&) noexcept = default;
  ~list() {
    for (size_t i = 0; i < parts_.size(); ++i) free(static_cast<void*>(parts_[i].data));
    for (size_t i = 0; i < layers_.size(); ++i) free(static_cast<void*>(layers_[i].data));
  }

  IRGL_INLINE void push(Thread& t, T x) { parts_[size_t(t.id)].push(*c_, x); }
  IRGL_INLINE T* reserve(Thread& t, size_t count) { return parts_[size_t(t.id)].reserve(*c_, count); }

  Segments<T> items() {
    size_t sum = 0;
    const int count = int(parts_.size());
    for (int i = 0; i < count; ++i) start_[size_t(i)] = sum, sum += parts_[size_t(i)].size;
    start_[size_t(count)] = sum;
    return {parts_.data(), start_.data(), count};
  }
  size_t size() const {
    size_t sum = 0;
    for (size_t i = 0; i < parts_.size(); ++i) sum += parts_[i].size;
    return sum;
  }
  bool empty() const { return size() == 0; }
  void clear() {
    for (size_t i = 0; i < parts_.size(); ++i) parts_[i].size = 0;
    for (size_t i = 0; i < layers_.size(); ++i) layers_[i].size = 0;
  }
  void swap(list& other) { parts_.swap(other.parts_), start_.swap(other.start_), layers_.swap(other.layers_); }
  void update(list& other) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      const Segment<T>& from = other.parts_[i];
      if (from.size != 0) memcpy(parts_[i].reserve(*c_, from.size), from.data, from.size * sizeof(T));
    }
  }
  template <class W>
  void update(W& other) { update_from(*c_, other.items()); }
  template <class R>
  void update_from(Runtime& c, const R& range) {
    for_each(c, range, [this](Thread& t, auto&, T x) { push(t, x); });
  }
  void stack(list& other) {
    if (layers_.size() == 0) layers_ = Array<Lane<size_t>>(parts_.size(), true);
    for (size_t i = 0; i < parts_.size(); ++i) layers_[i].push(*c_, parts_[i].size);
    update(other);
  }
  void unstack(list& other) {
    other.clear();
    for (size_t i = 0; i < parts_.size(); ++i) {
      const bool layered = layers_.size() != 0 && layers_[i].size != 0;
      const size_t below = layered ? layers_[i].data[--layers_[i].size] : 0;
      const size_t count = parts_[i].size - below;
      if (count != 0) memcpy(other.parts_[i].reserve(*c_, count), parts_[i].data + below, count * sizeof(T));
      parts_[i].size = below;
    }
  }
  Segment<T>& part(int id) { return parts_[size_t(id)]; }
  Runtime& runtime() const { return *c_; }

 private:
  Runtime* c_;
  Array<Lane<T>> parts_;
  Array<size_t> start_;
  Array<Lane<size_t>> layers_;  // where the layers of each thread's part begin; none until the first
};

// Worklists kept by number: lists[k] exists once asked for (from the host), and keeps its space over clear().
template <class L>
class ListArray {
 public:
  explicit ListArray(Runtime& c, size_t universe = 0) : c_(&c), universe_(universe) {}
  ListArray(const ListArray&) = delete;
  ListArray& operator=(const ListArray&) = delete;
  ~ListArray() {
    for (size_t k = 0; k < all_.size; ++k) delete all_.data[k];
    free(static_cast<void*>(all_.data));
  }
  L& operator[](size_t k) {
    while (all_.size <= k) all_.push(*c_, nullptr), all_.data[all_.size - 1] = new L(*c_, universe_);
    return *all_.data[k];
  }
  void clear() {
    for (size_t k = 0; k < all_.size; ++k) all_.data[k]->clear();
  }

 private:
  Runtime* c_;
  size_t universe_;
  Segment<L*> all_;
};

// How many items were pushed, and nothing else: for a loop that asks only whether there were any.
template <class T>
class count {
 public:
  using item = T;
  explicit count(Runtime& c, size_t universe = 0) : per_thread_(size_t(c.threads()) * stride, true) { (void)universe; }
  IRGL_INLINE void push(Thread& t, T) { ++per_thread_[size_t(t.id) * stride]; }
  IRGL_INLINE void add(Thread& t, size_t k) { per_thread_[size_t(t.id) * stride] += k; }
  size_t size() const {
    size_t sum = 0;
    for (size_t i = 0; i < per_thread_.size(); i += stride) sum += per_thread_[i];
    return sum;
  }
  bool empty() const { return size() == 0; }
  void clear() {
    for (size_t i = 0; i < per_thread_.size(); i += stride) per_thread_[i] = 0;
  }
  void swap(count& other) { per_thread_.swap(other.per_thread_); }
  void update(count& other) { per_thread_[0] += other.size(); }

 private:
  static constexpr size_t stride = 8;  // one cache line per thread
  Array<size_t> per_thread_;
};

}  // namespace irgl
