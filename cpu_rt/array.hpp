// array<T>: the twin of irgl/lib/array.irgl: elements 0 .. size-1, new ones zero (NONE for nodes and edges).
//
//     irgl::array<T> a(c, zero);  a.resize(n);  a.sort();  a[i];  a.at(i, place);  a.append(t, x);  a.size();  a.items()
// What resize made lies in one piece, which an index reaches by one comparison; appended elements lie behind it in
// chunks until the next resize. resize and sort are for the host, or for who has the array alone; append may be called by all
// threads. An index outside of the array is a fault, and yields an element that nobody else sees.
#pragma once
#include "chunks.hpp"
#include "sort.hpp"

namespace irgl {

template <class T>
class array {
 public:
  explicit array(Runtime& c, T zero = T{}) : c_(&c), zero_(zero), outside_(zero), more_(c) {}
  ~array() {
    if (borrowed_) flat_.forget();
  }
  void borrow(T* memory, size_t count) { flat_.lend(memory, count), borrowed_ = true; }  // of a new array
  int64_t size() const { return int64_t(flat_.size() + more_.size()); }
  void append(Thread&, T x, int64_t = 0) { more_.append(x); }
  Span<array, T> items() const { return {*this, size_t(size())}; }
  void resize(int64_t wanted, int64_t place = 0) {
    if (wanted < 0) return c_->fault(place | access_fault);
    const size_t old = size_t(size()), count = size_t(wanted);
    Array<T> fresh(count);
    for (size_t i = 0; i < count; ++i) fresh[i] = i < old ? item_at(i) : zero_;
    flat_.swap(fresh);
    more_.clear();
  }
  void sort(int64_t = 0) {
    if (more_.size() != 0) resize(size());
    irgl::sort(flat_.data(), size());
  }
  IRGL_INLINE T& operator[](int64_t i) { return at(i); }
  IRGL_INLINE T& at(int64_t i, int64_t place = 0) {
    if (__builtin_expect(uint64_t(i) < uint64_t(flat_.size()), 1)) return flat_[size_t(i)];
    if (uint64_t(i) >= uint64_t(size())) return c_->fault(place | access_fault), outside_;
    return more_[size_t(i) - flat_.size()];
  }
  IRGL_INLINE T& there(int64_t i) { return flat_[size_t(i)]; }  // of one as it was given, which the text shows to be there
  IRGL_INLINE bool has(size_t) const { return true; }
  IRGL_INLINE T item_at(size_t p) const { return p < flat_.size() ? flat_[p] : more_[p - flat_.size()]; }

 private:
  Runtime* c_;
  T zero_, outside_;
  bool borrowed_ = false;
  Array<T> flat_;
  Chunks<T> more_;
};

}  // namespace irgl
