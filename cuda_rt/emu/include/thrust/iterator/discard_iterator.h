// An output that goes nowhere.
#pragma once
#include "counting_iterator.h"
#include "iterator_facade.h"

namespace thrust {

namespace detail {
struct any_assign {
  any_assign() = default;
  any_assign(const any_assign&) = default;
  template <class T>
  IRGL_EMU_MEMBER any_assign(const T&) {}
  any_assign& operator=(const any_assign&) = default;
  template <class T>
  IRGL_EMU_MEMBER const any_assign& operator=(const T&) const {
    return *this;
  }
};
}  // namespace detail

template <class System = use_default>
class discard_iterator
    : public iterator_facade<discard_iterator<System>, detail::any_assign,
                             detail::unless_default<System, any_system_tag>, random_access_traversal_tag,
                             detail::any_assign, ptrdiff_t> {
  friend class iterator_core_access;
  ptrdiff_t at_ = 0;
  IRGL_EMU_MEMBER detail::any_assign dereference() const { return {}; }
  IRGL_EMU_MEMBER bool equal(const discard_iterator& o) const { return at_ == o.at_; }
  IRGL_EMU_MEMBER void advance(ptrdiff_t n) { at_ += n; }
  IRGL_EMU_MEMBER void increment() { at_++; }
  IRGL_EMU_MEMBER void decrement() { at_--; }
  IRGL_EMU_MEMBER ptrdiff_t distance_to(const discard_iterator& o) const { return o.at_ - at_; }

 public:
  IRGL_EMU_MEMBER discard_iterator(ptrdiff_t at = 0) : at_(at) {}
};
IRGL_EMU_MEMBER discard_iterator<> make_discard_iterator(ptrdiff_t at = 0) { return discard_iterator<>(at); }

}  // namespace thrust
