// Chunks: a sequence that any thread may append to, and whose elements never move: what library types grow by.
//
//     irgl::Chunks<T> s(c);  size_t i = s.append(x);  s[i];  s.size();  s.clear()       clear: on the host, keeps the memory
// Chunk k holds 1024 << k elements and is made by whoever first appends into it. An element may be read by the thread
// that appended it, by one that a lock orders behind it, and by all after the loop. Positions come from one counter, so
// that appending is for what is rare beside the work around it; hot pushes go to a worklist.
// A Span of positions lo <= i < hi of such a sequence is what ForAll and For run over.
#pragma once
#include "ranges.hpp"

namespace irgl {

template <class T>
class Chunks {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Chunks(Runtime& c) : c_(&c) {}
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;
  ~Chunks() {
    for (T* chunk : chunk_) free(static_cast<void*>(chunk));
  }
  size_t size() const { return __atomic_load_n(&size_, __ATOMIC_RELAXED); }
  void clear() { size_ = 0; }
  IRGL_INLINE T& operator[](size_t i) const {
    const Place p(i);
    return __atomic_load_n(&chunk_[p.chunk], __ATOMIC_RELAXED)[p.offset];
  }
  size_t append(const T& x) {
    size_t i = size();
    for (;;) {  // a position is taken only when its chunk is there: making one may fail
      const Place p(i);
      T* chunk = __atomic_load_n(&chunk_[p.chunk], __ATOMIC_ACQUIRE);
      if (__builtin_expect(chunk == nullptr, 0)) chunk = make(p.chunk);
      if (!__atomic_compare_exchange_n(&size_, &i, i + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
      chunk[p.offset] = x;
      return i;
    }
  }

 private:
  static constexpr unsigned first = 10;
  struct Place {
    unsigned chunk;
    size_t offset;
    IRGL_INLINE explicit Place(size_t i) {
      const uint64_t j = uint64_t(i) + (uint64_t(1) << first);
      const unsigned top = 63u - unsigned(__builtin_clzll(j));
      chunk = top - first;
      offset = size_t(j - (uint64_t(1) << top));
    }
  };
  IRGL_NOINLINE T* make(unsigned k) {
    T* fresh = allocate_array<T>(size_t(1) << (k + first));
    T* seen = nullptr;
    if (__atomic_compare_exchange_n(&chunk_[k], &seen, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      if (k != 0) atomic_add(c_->stats.worklist_growths, 1);
      return fresh;
    }
    free(static_cast<void*>(fresh));
    return seen;
  }

  Runtime* c_;
  size_t size_ = 0;
  T* chunk_[54] = {};
};

// Positions 0 <= p < count of a sequence; item_at(p, f) calls f(item), or leaves it where there is none.
template <class Sequence, class T>
struct Span : Unweighted {
  using item = T;
  const Sequence* of;
  size_t count;
  Span(const Sequence& s, size_t n) : of(&s), count(n) {}
  size_t size() const { return count; }
  size_t cost() const { return 1; }
  size_t work(size_t) const { return count; }
  size_t cut(size_t chunks, size_t k) const { return size_t((unsigned __int128)(count) * k / chunks); }
  static constexpr bool holed = true;
  bool none() const { return !(begin() != end()); }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    for (size_t p = from; p < to; ++p)
      if (of->has(p)) f(of->item_at(p));
  }
  struct Iterator {  // the sequential For, with break and continue
    const Span* span;
    size_t at;
    IRGL_INLINE T operator*() const { return span->of->item_at(at); }
    IRGL_INLINE Iterator& operator++() { return ++at, skip(); }
    IRGL_INLINE bool operator!=(const Iterator& other) const { return at != other.at; }
    IRGL_INLINE Iterator& skip() {
      while (at < span->count && !span->of->has(at)) ++at;
      return *this;
    }
  };
  IRGL_INLINE Iterator begin() const { return Iterator{this, 0}.skip(); }
  IRGL_INLINE Iterator end() const { return {this, count}; }
};

}  // namespace irgl
