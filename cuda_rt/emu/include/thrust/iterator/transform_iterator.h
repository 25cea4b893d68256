// A function of each element, computed where it is read.
#pragma once
#include "../detail/unwrap.h"
#include "../functional.h"
#include "iterator_adaptor.h"

namespace thrust {

namespace detail {
template <class F, class I>
using transformed = decltype(std::declval<F&>()(std::declval<typename std::iterator_traits<I>::value_type&>()));
template <class F, class I, class Reference>
struct transform_types {
  using reference = Reference;
};
template <class F, class I>
struct transform_types<F, I, use_default> {
  using given_type = std::conditional_t<
      std::is_invocable_v<F&, typename std::iterator_traits<I>::value_type>,
      std::invoke_result<F&, typename std::iterator_traits<I>::value_type>,
      std::invoke_result<F&, typename std::iterator_traits<I>::value_type&>>;
  using reference = typename given_type::type;
};
template <class E, class I>
struct transform_types<actor<E>, I, use_default> {
  using reference = std::remove_reference_t<transformed<const actor<E>, I>>;
};
template <class I, class T>
struct transform_types<identity<T>, I, use_default> {
  using reference = typename std::iterator_traits<I>::value_type;
};
template <class Self, class F, class I, class Reference, class Value>
using transform_base =
    iterator_adaptor<Self, I, unless_default<Value, bare<typename transform_types<F, I, Reference>::reference>>,
                     use_default, use_default, typename transform_types<F, I, Reference>::reference>;
}  // namespace detail

template <class F, class I, class Reference = use_default, class Value = use_default>
class transform_iterator
    : public detail::transform_base<transform_iterator<F, I, Reference, Value>, F, I, Reference, Value> {
  using adaptor = detail::transform_base<transform_iterator, F, I, Reference, Value>;
  friend class iterator_core_access;
  mutable F f_;
  IRGL_EMU_MEMBER typename adaptor::reference dereference() const { return f_(detail::given(*this->base())); }

 public:
  transform_iterator() = default;
  transform_iterator(const transform_iterator&) = default;
  IRGL_EMU_MEMBER transform_iterator(const I& i, F f) : adaptor(i), f_(f) {}
  IRGL_EMU_MEMBER explicit transform_iterator(const I& i) : adaptor(i), f_() {}
  template <class G, class J, class R, class V, class = std::enable_if_t<std::is_convertible_v<J, I>>>
  IRGL_EMU_MEMBER transform_iterator(const transform_iterator<G, J, R, V>& o) : adaptor(o.base()), f_(o.functor()) {}
  IRGL_EMU_MEMBER transform_iterator& operator=(const transform_iterator& o) {
    this->base_reference() = o.base();
    if constexpr (std::is_copy_assignable_v<F>) {
      f_ = o.f_;
    } else if (this != &o) {  // a lambda
      f_.~F();
      ::new ((void*)&f_) F(o.f_);
    }
    return *this;
  }
  IRGL_EMU_MEMBER F functor() const { return f_; }
};
template <class F, class I>
IRGL_EMU_MEMBER transform_iterator<F, I> make_transform_iterator(I i, F f) {
  return transform_iterator<F, I>(i, f);
}

namespace detail {
template <class F, class I, class Reference, class Value>
struct unwrapping<transform_iterator<F, I, Reference, Value>> {
  using type = transform_iterator<F, unwrapped<I>, Reference, Value>;
  IRGL_EMU_MEMBER static type of(const transform_iterator<F, I, Reference, Value>& i) {
    return type(unwrap(i.base()), i.functor());
  }
};
}  // namespace detail

}  // namespace thrust
