// Early<T>: which items were filed before the bucket that ran (ordered.hpp). Hardly any program does that, so that room
// for it is made when it happens.
//
//     Early<T> early(universe);
//     early.note(x, running)         x was filed before the bucket `running`, which runs, or has run
//     early.holds(x, running)        was it? Of later buckets that is false
#pragma once
#include "runtime.hpp"

namespace irgl {

template <class T>
class Early {
 public:
  explicit Early(size_t universe) : universe_(universe) {}
  Early(Early&& other) noexcept : universe_(other.universe_), buckets_(other.buckets_) { other.buckets_ = nullptr; }
  Early(const Early&) = delete;
  Early& operator=(const Early&) = delete;
  ~Early() { free(buckets_); }

  IRGL_INLINE bool holds(T x, int64_t running) const {
    const int64_t* known = __atomic_load_n(&buckets_, __ATOMIC_ACQUIRE);
    return __builtin_expect(known != nullptr, 0) && load(known[size_t(x)]) == mark(running);
  }
  __attribute__((noinline)) void note(T x, int64_t running) {
    int64_t* known = __atomic_load_n(&buckets_, __ATOMIC_ACQUIRE);
    if (known == nullptr) {
      int64_t* const made = allocate_array<int64_t>(universe_, true);
      if (__atomic_compare_exchange_n(&buckets_, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) known = made;
      else free(made);  // another thread was first
    }
    store(known[size_t(x)], mark(running));
  }

 private:
  // The bucket that x was filed before last, so that nothing has to be cleared; 0: none, as no bucket has that mark.
  static int64_t mark(int64_t bucket) { return int64_t(uint64_t(bucket) - uint64_t(highest<int64_t>())); }

  size_t universe_;
  int64_t* buckets_ = nullptr;
};

}  // namespace irgl
