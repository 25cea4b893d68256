// From the end to the beginning.
#pragma once
#include "../detail/unwrap.h"
#include "iterator_adaptor.h"

namespace thrust {

template <class I>
class reverse_iterator : public iterator_adaptor<reverse_iterator<I>, I> {
  using adaptor = iterator_adaptor<reverse_iterator<I>, I>;
  friend class iterator_core_access;
  IRGL_EMU_MEMBER typename adaptor::reference dereference() const { return *(this->base() - 1); }
  IRGL_EMU_MEMBER void advance(typename adaptor::difference_type n) { this->base_reference() -= n; }
  IRGL_EMU_MEMBER void increment() { --this->base_reference(); }
  IRGL_EMU_MEMBER void decrement() { ++this->base_reference(); }
  template <class Other>
  IRGL_EMU_MEMBER typename adaptor::difference_type distance_to(const Other& o) const {
    return this->base() - o.base();
  }

 public:
  reverse_iterator() = default;
  IRGL_EMU_MEMBER explicit reverse_iterator(const I& i) : adaptor(i) {}
  template <class J, class = std::enable_if_t<std::is_convertible_v<J, I>>>
  IRGL_EMU_MEMBER reverse_iterator(const reverse_iterator<J>& o) : adaptor(o.base()) {}
};
template <class I>
IRGL_EMU_MEMBER reverse_iterator<I> make_reverse_iterator(I i) {
  return reverse_iterator<I>(i);
}

namespace detail {
template <class I>
struct unwrapping<reverse_iterator<I>> {
  using type = reverse_iterator<unwrapped<I>>;
  IRGL_EMU_MEMBER static type of(const reverse_iterator<I>& i) { return type(unwrap(i.base())); }
};
}  // namespace detail

}  // namespace thrust
