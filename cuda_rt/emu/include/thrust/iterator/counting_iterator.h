// 0, 1, 2, ... without memory.
#pragma once
#include "iterator_adaptor.h"

namespace thrust {

namespace detail {
template <class T, class Difference>
using counting_difference =
    unless_default<Difference, std::conditional_t<std::is_integral_v<T> && sizeof(T) < sizeof(int), int, ptrdiff_t>>;
template <class Self, class T, class System, class Difference>
using counting_base = iterator_adaptor<Self, T, T, unless_default<System, any_system_tag>, random_access_traversal_tag,
                                       T, counting_difference<T, Difference>>;
}  // namespace detail

template <class T, class System = use_default, class Traversal = use_default, class Difference = use_default>
class counting_iterator : public detail::counting_base<counting_iterator<T, System, Traversal, Difference>, T, System,
                                                       Difference> {
  using adaptor = detail::counting_base<counting_iterator, T, System, Difference>;
  friend class iterator_core_access;
  IRGL_EMU_MEMBER T dereference() const { return this->base(); }
  IRGL_EMU_MEMBER void advance(typename adaptor::difference_type n) {
    this->base_reference() = static_cast<T>(this->base() + n);
  }
  template <class Other>
  IRGL_EMU_MEMBER typename adaptor::difference_type distance_to(const Other& o) const {
    using Difference_type = typename adaptor::difference_type;
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<Difference_type>(o.base()) - static_cast<Difference_type>(this->base());
    } else {
      return o.base() - this->base();
    }
  }

 public:
  IRGL_EMU_MEMBER counting_iterator() : adaptor(T{}) {}
  IRGL_EMU_MEMBER explicit counting_iterator(T v) : adaptor(v) {}
};
template <class T>
IRGL_EMU_MEMBER counting_iterator<T> make_counting_iterator(T v) {
  return counting_iterator<T>(v);
}

}  // namespace thrust
