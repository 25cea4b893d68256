// Counts<K>: the twin of irgl/lib/counts.irgl: how often each key was added.
//
//     irgl::Counts<K> c(runtime, zero);  c.add(key, n);  c.get(key);  c.most_frequent();  c.size();  c.keys();
// The entries lie in two runs by key: `old_`, and `fresh_` for new keys, which goes into old_ when it is longer than
// its square root (J. Bentley and J. Saxe, Decomposable searching problems, 1980, with two levels). add is O(log k) for
// a key that is there, O(sqrt k) on average for a new one; get O(log k); a key in its order O(log k); most_frequent
// O(k). Up to 16 keys take no memory but the object's own. add and clear are for who has it alone; all may read at once.
#pragma once
#include "chunks.hpp"

namespace irgl {
namespace detail {

template <class K>
class Run {  // entries by key, each once
 public:
  struct Entry {
    K key;
    int64_t count;
  };
  int64_t size = 0;

  IRGL_INLINE const Entry* data() const { return more_.size() != 0 ? more_.data() : first_; }
  IRGL_INLINE Entry* data() { return more_.size() != 0 ? more_.data() : first_; }
  IRGL_INLINE int64_t place(K key) const {  // of the first that is not less
    int64_t low = 0, high = size;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (data()[middle].key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  IRGL_INLINE const Entry* find(K key) const {
    const int64_t at = place(key);
    return at < size && data()[at].key == key ? data() + at : nullptr;
  }
  void insert(const Entry& entry) {
    const int64_t at = place(entry.key);
    make_room(size + 1);
    for (int64_t i = size++; i > at; --i) data()[i] = data()[i - 1];
    data()[at] = entry;
  }
  void take(Run& other) {  // all of another one, which has none of these keys
    make_room(size + other.size);
    int64_t i = size - 1, j = other.size - 1;
    size += other.size;
    for (int64_t to = size - 1; j >= 0; --to)
      data()[to] = i >= 0 && other.data()[j].key < data()[i].key ? data()[i--] : other.data()[j--];
    other.size = 0;
  }

 private:
  static constexpr int64_t first = 17;
  void make_room(int64_t wanted) {
    if (wanted <= (more_.size() != 0 ? int64_t(more_.size()) : first)) return;
    Array<Entry> larger(size_t(wanted) * 2);
    for (int64_t i = 0; i < size; ++i) larger[size_t(i)] = data()[i];
    more_.swap(larger);
  }
  Array<Entry> more_;
  Entry first_[first];
};

}  // namespace detail

template <class K>
class Counts {
 public:
  explicit Counts(Runtime&, K zero = K{}) : zero_(zero) {}
  int64_t size() const { return old_.size + fresh_.size; }
  void add(K key, int64_t count, int64_t = 0) {
    auto* found = fresh_.find(key);
    if (found == nullptr) found = old_.find(key);
    if (found != nullptr) {
      const_cast<Entry*>(found)->count += count;
      return;
    }
    fresh_.insert({key, count});
    if (fresh_.size > 16 && fresh_.size * fresh_.size > old_.size) old_.take(fresh_);
  }
  int64_t get(K key, int64_t = 0) const {
    auto* found = fresh_.find(key);
    if (found == nullptr) found = old_.find(key);
    return found != nullptr ? found->count : 0;
  }
  K most_frequent(int64_t = 0) const {
    const Entry* best = nullptr;
    for (const Run* run : {&old_, &fresh_})
      for (const Entry* e = run->data(); e != run->data() + run->size; ++e)
        if (best == nullptr || e->count > best->count || (e->count == best->count && e->key < best->key)) best = e;
    return best != nullptr ? best->key : zero_;
  }
  void clear(int64_t = 0) { old_.size = fresh_.size = 0; }
  Span<Counts, K> keys() const { return {*this, size_t(size())}; }
  bool has(size_t) const { return true; }
  K item_at(size_t position) const {
    const int64_t p = int64_t(position);
    int64_t low = p > fresh_.size ? p - fresh_.size : 0, high = p < old_.size ? p : old_.size;
    while (low < high) {  // how many of the first p keys are old ones
      const int64_t i = low + (high - low) / 2;
      if (old_.data()[i].key < fresh_.data()[p - i - 1].key) low = i + 1;
      else high = i;
    }
    const int64_t j = p - low;
    const bool old = low < old_.size && (j == fresh_.size || old_.data()[low].key < fresh_.data()[j].key);
    return old ? old_.data()[low].key : fresh_.data()[j].key;
  }

 private:
  using Run = detail::Run<K>;
  using Entry = typename Run::Entry;
  K zero_;
  Run old_, fresh_;
};

}  // namespace irgl
