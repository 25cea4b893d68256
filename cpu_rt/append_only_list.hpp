// AppendOnlyList<T>: the twin of irgl/lib/append_only_list.irgl. Items never move and never go.
//
//     irgl::AppendOnlyList<T> l(c);  int64_t at = l.append(t, x);  l[i];  l.at(i, place);  l.size();  l.items()
// An index outside of the list is a fault, and yields an element that nobody else sees.
#pragma once
#include "chunks.hpp"

namespace irgl {

template <class T>
class AppendOnlyList {
 public:
  explicit AppendOnlyList(Runtime& c, T none = T{}) : c_(&c), outside_(none), items_(c) {}
  int64_t size() const { return int64_t(items_.size()); }
  int64_t append(Thread&, T x, int64_t = 0) { return int64_t(items_.append(x)); }
  Span<AppendOnlyList, T> items() const { return {*this, items_.size()}; }
  IRGL_INLINE T& operator[](int64_t i) { return at(i); }
  IRGL_INLINE T& at(int64_t i, int64_t place = 0) {
    if (__builtin_expect(uint64_t(i) >= uint64_t(size()), 0)) return c_->fault(place | access_fault), outside_;
    return items_[size_t(i)];
  }
  IRGL_INLINE bool has(size_t) const { return true; }
  IRGL_INLINE T item_at(size_t p) const { return items_[p]; }

 private:
  Runtime* c_;
  T outside_;
  Chunks<T> items_;
};

}  // namespace irgl
