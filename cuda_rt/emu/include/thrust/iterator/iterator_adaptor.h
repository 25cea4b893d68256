// iterator_adaptor: an iterator around another one, of which it changes something.
#pragma once
#include "iterator_facade.h"

namespace thrust {

namespace detail {
template <class Base, class = void>
struct base_types {
  using value_type = Base;
  using reference = const Base&;
  using difference_type = ptrdiff_t;
};
template <class Base>
struct base_types<Base, std::void_t<typename std::iterator_traits<Base>::reference>> : std::iterator_traits<Base> {};

template <class Derived, class Base, class Value, class System, class Traversal, class Reference, class Difference>
using adaptor_base = iterator_facade<
    Derived, unless_default<Value, typename base_types<Base>::value_type>, unless_default<System, system_of<Base>>,
    unless_default<Traversal, random_access_traversal_tag>,
    unless_default<Reference, std::conditional_t<std::is_same_v<Value, use_default>,
                                                 typename base_types<Base>::reference, Value&>>,
    unless_default<Difference, typename base_types<Base>::difference_type>>;
}  // namespace detail

template <class Derived, class Base, class Value = use_default, class System = use_default,
          class Traversal = use_default, class Reference = use_default, class Difference = use_default>
class iterator_adaptor
    : public detail::adaptor_base<Derived, Base, Value, System, Traversal, Reference, Difference> {
  using facade = detail::adaptor_base<Derived, Base, Value, System, Traversal, Reference, Difference>;
  friend class iterator_core_access;

 public:
  using base_type = Base;
  using super_t = iterator_adaptor;
  iterator_adaptor() = default;
  IRGL_EMU_MEMBER explicit iterator_adaptor(const Base& b) : base_(b) {}
  IRGL_EMU_MEMBER const Base& base() const { return base_; }

 protected:
  IRGL_EMU_MEMBER const Base& base_reference() const { return base_; }
  IRGL_EMU_MEMBER Base& base_reference() { return base_; }

 private:
  Base base_{};
  IRGL_EMU_MEMBER typename facade::reference dereference() const { return *base_; }
  template <class Other>
  IRGL_EMU_MEMBER bool equal(const Other& o) const {
    return base_ == o.base();
  }
  IRGL_EMU_MEMBER void advance(typename facade::difference_type n) { base_ += n; }
  IRGL_EMU_MEMBER void increment() { ++base_; }
  IRGL_EMU_MEMBER void decrement() { --base_; }
  template <class Other>
  IRGL_EMU_MEMBER typename facade::difference_type distance_to(const Other& o) const {
    return o.base() - base_;
  }
};

}  // namespace thrust
