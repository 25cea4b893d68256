// iterator_facade: an iterator's operators, from a few functions of its own.
#pragma once
#include "iterator_traits.h"

namespace thrust {

// Reaches the private functions of iterators that have it as a friend.
class iterator_core_access {
 public:
  template <class I>
  IRGL_EMU_MEMBER static decltype(auto) dereference(const I& i) {
    return i.dereference();
  }
  template <class I>
  IRGL_EMU_MEMBER static void increment(I& i) {
    i.increment();
  }
  template <class I>
  IRGL_EMU_MEMBER static void decrement(I& i) {
    i.decrement();
  }
  template <class I, class N>
  IRGL_EMU_MEMBER static void advance(I& i, N n) {
    i.advance(n);
  }
  template <class A, class B>
  IRGL_EMU_MEMBER static bool equal(const A& a, const B& b) {
    return a.equal(b);
  }
  template <class A, class B>
  IRGL_EMU_MEMBER static auto distance(const A& from, const B& to) {
    return from.distance_to(to);
  }
};

template <class Derived, class Value, class System, class Traversal, class Reference, class Difference = ptrdiff_t>
class iterator_facade {
  using access = iterator_core_access;
  IRGL_EMU_MEMBER Derived& self() { return *static_cast<Derived*>(this); }
  IRGL_EMU_MEMBER const Derived& self() const { return *static_cast<const Derived*>(this); }

 public:
  using value_type = std::remove_cv_t<Value>;
  using reference = Reference;
  using difference_type = Difference;
  using pointer = std::add_pointer_t<Value>;
  using iterator_category = std::conditional_t<
      std::is_base_of_v<std::input_iterator_tag, Traversal> || std::is_base_of_v<std::output_iterator_tag, Traversal>,
      Traversal,
      std::conditional_t<
          std::is_convertible_v<Traversal, random_access_traversal_tag>, std::random_access_iterator_tag,
          std::conditional_t<std::is_convertible_v<Traversal, bidirectional_traversal_tag>,
                             std::bidirectional_iterator_tag, std::forward_iterator_tag>>>;
  using emu_system = System;

  IRGL_EMU_MEMBER decltype(auto) operator*() const { return access::dereference(self()); }
  IRGL_EMU_MEMBER decltype(auto) operator[](difference_type n) const { return *(self() + n); }
  IRGL_EMU_MEMBER pointer operator->() const { return &*self(); }
  IRGL_EMU_MEMBER Derived& operator++() {
    access::increment(self());
    return self();
  }
  IRGL_EMU_MEMBER Derived operator++(int) {
    const Derived before = self();
    access::increment(self());
    return before;
  }
  IRGL_EMU_MEMBER Derived& operator--() {
    access::decrement(self());
    return self();
  }
  IRGL_EMU_MEMBER Derived operator--(int) {
    const Derived before = self();
    access::decrement(self());
    return before;
  }
  IRGL_EMU_MEMBER Derived& operator+=(difference_type n) {
    access::advance(self(), n);
    return self();
  }
  IRGL_EMU_MEMBER Derived& operator-=(difference_type n) {
    access::advance(self(), -n);
    return self();
  }
  IRGL_EMU_MEMBER Derived operator+(difference_type n) const {
    Derived to = self();
    access::advance(to, n);
    return to;
  }
  IRGL_EMU_MEMBER Derived operator-(difference_type n) const {
    Derived to = self();
    access::advance(to, -n);
    return to;
  }
};

#define IRGL_EMU_FACADES                                                                                       \
  template <class A, class VA, class SA, class TA, class RA, class NA, class B, class VB, class SB, class TB, \
            class RB, class NB>                                                                                \
  IRGL_EMU_MEMBER
#define IRGL_EMU_SIDES(op)                                                         \
  operator op(const iterator_facade<A, VA, SA, TA, RA, NA>& a, const iterator_facade<B, VB, SB, TB, RB, NB>& b)
#define IRGL_EMU_A static_cast<const A&>(a)
#define IRGL_EMU_B static_cast<const B&>(b)
IRGL_EMU_FACADES bool IRGL_EMU_SIDES(==) { return iterator_core_access::equal(IRGL_EMU_A, IRGL_EMU_B); }
IRGL_EMU_FACADES bool IRGL_EMU_SIDES(!=) { return !iterator_core_access::equal(IRGL_EMU_A, IRGL_EMU_B); }
IRGL_EMU_FACADES NA IRGL_EMU_SIDES(-) { return iterator_core_access::distance(IRGL_EMU_B, IRGL_EMU_A); }
IRGL_EMU_FACADES bool IRGL_EMU_SIDES(<) { return iterator_core_access::distance(IRGL_EMU_A, IRGL_EMU_B) > 0; }
IRGL_EMU_FACADES bool IRGL_EMU_SIDES(>) { return iterator_core_access::distance(IRGL_EMU_A, IRGL_EMU_B) < 0; }
IRGL_EMU_FACADES bool IRGL_EMU_SIDES(<=) { return iterator_core_access::distance(IRGL_EMU_A, IRGL_EMU_B) >= 0; }
IRGL_EMU_FACADES bool IRGL_EMU_SIDES(>=) { return iterator_core_access::distance(IRGL_EMU_A, IRGL_EMU_B) <= 0; }
#undef IRGL_EMU_FACADES
#undef IRGL_EMU_SIDES
#undef IRGL_EMU_A
#undef IRGL_EMU_B

template <class D, class V, class S, class T, class R, class N>
IRGL_EMU_MEMBER D operator+(typename iterator_facade<D, V, S, T, R, N>::difference_type n,
                            const iterator_facade<D, V, S, T, R, N>& i) {
  return static_cast<const D&>(i) + n;
}

}  // namespace thrust
