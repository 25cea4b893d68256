// Counts<K>: the twin of irgl/lib/counts.irgl: how often each key was added.
//
//     irgl::Counts<K> c(launcher, zero);  c.add(key, n, place);  c.get(key, place);  c.most_frequent(place);  c.keys();
// The host's has its entries in one run by key, in memory that kernels see, too: its view reads them. A thread's own
// (own.cuh) has two runs, as the CPU's (cpu_rt/counts.hpp), whose first entries lie on the thread's stack and which
// grow into the heap. An add that finds no memory is a memory fault.
#pragma once
#include "array.cuh"

namespace irgl {
namespace detail {

template <class K>
struct Counted {
  K key;
  int64_t count;
};
// The place of the first entry whose key is not less; `entries[i]` is the i-th by key.
template <class Entries, class K>
IRGL_BOTH int64_t place_of(Entries& entries, int64_t size, K key) {
  int64_t low = 0, high = size;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (entries[middle].key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
template <class K>
IRGL_BOTH bool is_better(const Counted<K>& a, const Counted<K>& b) {
  return a.count > b.count || (a.count == b.count && a.key < b.key);
}

// The keys of something that has key_at(p), in their order.
template <class Of, class K>
struct KeysOf : Unweighted {
  using item = K;
  Of of;
  size_t count;
  IRGL_BOTH KeysOf(const Of& counts, size_t n) : of(counts), count(n) {}
  IRGL_BOTH size_t size() const { return count; }
  IRGL_DEVICE K at(size_t p) const { return of.key_at(int64_t(p)); }
  struct Iterator {
    const KeysOf* keys;
    size_t place;
    IRGL_DEVICE K operator*() const { return keys->at(place); }
    IRGL_DEVICE Iterator& operator++() { return ++place, *this; }
    IRGL_DEVICE bool operator!=(const Iterator& other) const { return place != other.place; }
  };
  IRGL_DEVICE Iterator begin() const { return {this, 0}; }
  IRGL_DEVICE Iterator end() const { return {this, count}; }
};

}  // namespace detail

template <class K>
class OwnCounts {
 public:
  template <class D>
  IRGL_DEVICE explicit OwnCounts(const D& c, K zero = K{}) : zero_(zero), old_(c, {zero, 0}), fresh_(c, {zero, 0}) {}
  IRGL_DEVICE int64_t size() const { return old_.size() + fresh_.size(); }
  IRGL_DEVICE void add(K key, int64_t count, int64_t = 0) {
    if (Entry* found = find(key)) {
      found->count = plus<int64_t>(found->count, count);
      return;
    }
    const int64_t end = fresh_.size(), at = detail::place_of(fresh_, end, key);
    fresh_.resize(end + 1);
    if (fresh_.size() == end) return;  // no memory: the run ends
    for (int64_t i = end; i > at; --i) fresh_[i] = fresh_[i - 1];
    fresh_[at] = {key, count};
    if (end >= 16 && (end + 1) * (end + 1) > old_.size()) merge();
  }
  IRGL_DEVICE int64_t get(K key, int64_t = 0) const {
    const Entry* found = const_cast<OwnCounts*>(this)->find(key);
    return found != nullptr ? found->count : 0;
  }
  IRGL_DEVICE K most_frequent(int64_t = 0) const {
    Entry best{zero_, 0};
    bool any = false;
    for (int64_t i = 0; i < size(); ++i) {
      const Entry e = i < old_.size() ? of(old_, i) : of(fresh_, i - old_.size());
      if (!any || detail::is_better(e, best)) best = e;
      any = true;
    }
    return best.key;
  }
  IRGL_DEVICE void clear(int64_t = 0) {
    old_.resize(0);
    fresh_.resize(0);
  }
  struct Reader {
    const OwnCounts* all;
    IRGL_DEVICE K key_at(int64_t p) const { return all->key_at(p); }
  };
  IRGL_DEVICE detail::KeysOf<Reader, K> keys() const { return {{this}, size_t(size())}; }
  IRGL_DEVICE K key_at(int64_t p) const {
    const int64_t news = fresh_.size(), olds = old_.size();
    int64_t low = p > news ? p - news : 0, high = p < olds ? p : olds;
    while (low < high) {  // how many of the first p keys are old ones
      const int64_t i = low + (high - low) / 2;
      if (of(old_, i).key < of(fresh_, p - i - 1).key) low = i + 1;
      else high = i;
    }
    const int64_t j = p - low;
    const bool old = low < olds && (j == news || of(old_, low).key < of(fresh_, j).key);
    return old ? of(old_, low).key : of(fresh_, j).key;
  }

 private:
  using Entry = detail::Counted<K>;
  using Run = OwnItems<Entry>;
  IRGL_DEVICE static const Entry& of(const Run& run, int64_t i) { return const_cast<Run&>(run)[i]; }
  IRGL_DEVICE Entry* find(K key) {
    int64_t at = detail::place_of(fresh_, fresh_.size(), key);
    if (at < fresh_.size() && fresh_[at].key == key) return &fresh_[at];
    at = detail::place_of(old_, old_.size(), key);
    return at < old_.size() && old_[at].key == key ? &old_[at] : nullptr;
  }
  IRGL_DEVICE void merge() {
    int64_t i = old_.size() - 1, j = fresh_.size() - 1, to = i + j + 1;
    old_.resize(to + 1);
    if (old_.size() != to + 1) return;
    for (; j >= 0; --to) {
      const bool old = i >= 0 && fresh_[j].key < old_[i].key;
      old_[to] = old ? old_[i--] : fresh_[j--];
    }
    fresh_.resize(0);
  }
  K zero_;
  Run old_, fresh_;
};

template <class K>
struct CountsView {
  const detail::Counted<K>* data;
  int64_t count;
  K zero;

  IRGL_BOTH int64_t size() const { return count; }
  IRGL_BOTH int64_t get(K key, int64_t = 0) const {
    const int64_t at = detail::place_of(data, count, key);
    return at < count && data[at].key == key ? data[at].count : 0;
  }
  IRGL_BOTH K most_frequent(int64_t = 0) const {
    int64_t best = 0;
    for (int64_t i = 1; i < count; ++i)
      if (detail::is_better(data[i], data[best])) best = i;
    return count != 0 ? data[best].key : zero;
  }
  IRGL_BOTH K key_at(int64_t p) const { return data[p].key; }
  IRGL_BOTH detail::KeysOf<CountsView, K> keys() const { return {*this, size_t(count)}; }
  IRGL_DEVICE void refresh(Thread& t) { t.sync(); }
};

template <class K>
class Counts {
 public:
  using View = CountsView<K>;
  using Own = OwnCounts<K>;

  explicit Counts(Launcher& c, K zero = K{}) : c_(&c), zero_(zero) { memory_ = c.make_vast<Entry>(for_both); }
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;
  ~Counts() { c_->drop_vast(memory_.data); }
  View view() { return {memory_.data, size_, zero_}; }
  int64_t size() const { return size_; }
  void add(K key, int64_t count, int64_t = 0) {
    c_->settle();
    Entry* const entries = memory_.data;
    const int64_t at = detail::place_of(entries, size_, key);
    if (at < size_ && entries[at].key == key) {
      entries[at].count = plus<int64_t>(entries[at].count, count);
      return;
    }
    if (counter_t(size_) >= memory_.capacity) return c_->fault(memory_fault);
    for (int64_t i = size_++; i > at; --i) entries[i] = entries[i - 1];
    entries[at] = {key, count};
  }
  int64_t get(K key, int64_t place) { return c_->settle(), view().get(key, place); }
  K most_frequent(int64_t place) { return c_->settle(), view().most_frequent(place); }
  void clear(int64_t = 0) { size_ = 0; }
  detail::KeysOf<View, K> keys() { return c_->settle(), view().keys(); }

 private:
  using Entry = detail::Counted<K>;
  Launcher* c_;
  K zero_;
  int64_t size_ = 0;
  Vast<Entry> memory_;
};

}  // namespace irgl
