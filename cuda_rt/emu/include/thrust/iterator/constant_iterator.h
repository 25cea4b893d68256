// One value everywhere.
#pragma once
#include "counting_iterator.h"
#include "iterator_facade.h"

namespace thrust {

template <class T, class Place = use_default, class System = use_default>
class constant_iterator
    : public iterator_facade<constant_iterator<T, Place, System>, T, detail::unless_default<System, any_system_tag>,
                             random_access_traversal_tag, T, ptrdiff_t> {
  friend class iterator_core_access;
  T value_;
  ptrdiff_t at_ = 0;
  IRGL_EMU_MEMBER T dereference() const { return value_; }
  IRGL_EMU_MEMBER bool equal(const constant_iterator& o) const { return at_ == o.at_; }
  IRGL_EMU_MEMBER void advance(ptrdiff_t n) { at_ += n; }
  IRGL_EMU_MEMBER void increment() { at_++; }
  IRGL_EMU_MEMBER void decrement() { at_--; }
  IRGL_EMU_MEMBER ptrdiff_t distance_to(const constant_iterator& o) const { return o.at_ - at_; }

 public:
  IRGL_EMU_MEMBER constant_iterator() : value_() {}
  IRGL_EMU_MEMBER constant_iterator(const T& v, ptrdiff_t at = 0) : value_(v), at_(at) {}
  IRGL_EMU_MEMBER const T& value() const { return value_; }
};
template <class T, class N>
IRGL_EMU_MEMBER constant_iterator<T> make_constant_iterator(T v, N at) {
  return constant_iterator<T>(v, at);
}
template <class T>
IRGL_EMU_MEMBER constant_iterator<T> make_constant_iterator(T v) {
  return constant_iterator<T>(v, 0);
}

}  // namespace thrust
