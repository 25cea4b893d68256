// Elements in the order of a map.
#pragma once
#include "../detail/unwrap.h"
#include "iterator_adaptor.h"

namespace thrust {

namespace detail {
template <class Self, class E, class I>
using permutation_base =
    iterator_adaptor<Self, I, typename std::iterator_traits<E>::value_type, system_of<E, I>, use_default,
                     typename std::iterator_traits<E>::reference>;
}

template <class E, class I>
class permutation_iterator : public detail::permutation_base<permutation_iterator<E, I>, E, I> {
  using adaptor = detail::permutation_base<permutation_iterator, E, I>;
  friend class iterator_core_access;
  E elements_{};
  IRGL_EMU_MEMBER typename adaptor::reference dereference() const {
    using Index = typename std::iterator_traits<I>::value_type;
    return *(elements_ + static_cast<typename std::iterator_traits<E>::difference_type>(Index(*this->base())));
  }

 public:
  permutation_iterator() = default;
  IRGL_EMU_MEMBER permutation_iterator(const E& e, const I& i) : adaptor(i), elements_(e) {}
  template <class F, class J, class = std::enable_if_t<std::is_convertible_v<F, E> && std::is_convertible_v<J, I>>>
  IRGL_EMU_MEMBER permutation_iterator(const permutation_iterator<F, J>& o)
      : adaptor(o.base()), elements_(o.elements()) {}
  IRGL_EMU_MEMBER const E& elements() const { return elements_; }
};
template <class E, class I>
IRGL_EMU_MEMBER permutation_iterator<E, I> make_permutation_iterator(E e, I i) {
  return permutation_iterator<E, I>(e, i);
}

namespace detail {
template <class E, class I>
struct unwrapping<permutation_iterator<E, I>> {
  using type = permutation_iterator<unwrapped<E>, unwrapped<I>>;
  IRGL_EMU_MEMBER static type of(const permutation_iterator<E, I>& i) {
    return type(unwrap(i.elements()), unwrap(i.base()));
  }
};
}  // namespace detail

}  // namespace thrust
