// An output that gets a function of what is written.
#pragma once
#include "../detail/unwrap.h"
#include "iterator_adaptor.h"

namespace thrust {

namespace detail {
template <class F, class I>
class transform_output_proxy {
  I to_;
  mutable F f_;

 public:
  IRGL_EMU_MEMBER transform_output_proxy(const I& to, F f) : to_(to), f_(f) {}
  template <class T>
  IRGL_EMU_MEMBER const transform_output_proxy& operator=(const T& v) const {
    *to_ = f_(v);
    return *this;
  }
};
}  // namespace detail

template <class F, class I>
class transform_output_iterator
    : public iterator_adaptor<transform_output_iterator<F, I>, I, typename std::iterator_traits<I>::value_type,
                              use_default, use_default, detail::transform_output_proxy<F, I>> {
  using adaptor = iterator_adaptor<transform_output_iterator, I, typename std::iterator_traits<I>::value_type,
                                   use_default, use_default, detail::transform_output_proxy<F, I>>;
  friend class iterator_core_access;
  F f_;
  IRGL_EMU_MEMBER detail::transform_output_proxy<F, I> dereference() const { return {this->base(), f_}; }

 public:
  IRGL_EMU_MEMBER transform_output_iterator(const I& i, F f) : adaptor(i), f_(f) {}
  IRGL_EMU_MEMBER F functor() const { return f_; }
};
template <class F, class I>
IRGL_EMU_MEMBER transform_output_iterator<F, I> make_transform_output_iterator(I i, F f) {
  return transform_output_iterator<F, I>(i, f);
}

namespace detail {
template <class F, class I>
struct unwrapping<transform_output_iterator<F, I>> {
  using type = transform_output_iterator<F, unwrapped<I>>;
  IRGL_EMU_MEMBER static type of(const transform_output_iterator<F, I>& i) {
    return type(unwrap(i.base()), i.functor());
  }
};
}  // namespace detail

}  // namespace thrust
