// An element of a property, for the host's statements between kernels.
//
//     *irgl::element(c, x, i)                its value
//     irgl::element(c, x, i) = value         its store; and += -= *= |= &= ^=, which change it at once
//     irgl::plain_min(irgl::element(c, x, i), value)   and the like (atomics.cuh)
#pragma once
#include "coherent.cuh"

namespace irgl {

// Where it lies.
template <class T>
class Element {
 public:
  using Value = std::remove_const_t<T>;

  Element(Properties& c, T* device, int64_t index) : c_(c), device_(device), index_(index) {}
  Element(const Element&) = default;

  Value operator*() const {
    Value value{};
    c_.read_element(device_, index_, static_cast<void*>(&value));
    return value;
  }
  template <class V>
  void operator=(const V& value) const { change([&](Value& x) { x = value; }); }
#define IRGL_COMPOUND(op) \
  template <class V>      \
  void operator op(const V& value) const { change([&](Value& x) { x op value; }); }
  IRGL_COMPOUND(+=)
  IRGL_COMPOUND(-=)
  IRGL_COMPOUND(*=)
  IRGL_COMPOUND(|=)
  IRGL_COMPOUND(&=)
  IRGL_COMPOUND(^=)
#undef IRGL_COMPOUND
  // f(value) for its result; what it makes of the value is written if that is another.
  template <class F>
  auto change(F f) const {
    const Value was = **this;
    Held held{*this, was, was};
    return f(held.now);
  }

 private:
  struct Held {
    const Element& of;
    Value before, now;
    ~Held() {
      if (memcmp(static_cast<const void*>(&before), static_cast<const void*>(&now), sizeof(Value)) != 0)
        of.c_.write_element(of.device_, of.index_, static_cast<const void*>(&now));
    }
  };
  Properties& c_;
  T* device_;
  int64_t index_;
};
template <class T>
Element<T> element(Properties& c, T* device, int64_t index) { return Element<T>(c, device, index); }

#define IRGL_ELEMENT(name)                                                \
  template <class T>                                                      \
  auto plain_##name(const Element<T>& location, same_t<T> value) {        \
    return location.change([&](T& x) { return plain_##name(x, value); }); \
  }
IRGL_ELEMENT(min)
IRGL_ELEMENT(max)
IRGL_ELEMENT(add)
IRGL_ELEMENT(sub)
IRGL_ELEMENT(mul)
IRGL_ELEMENT(or)
IRGL_ELEMENT(and)
IRGL_ELEMENT(xor)
IRGL_ELEMENT(xchg)
#undef IRGL_ELEMENT
template <class T>
Reduced<T> plain_cas(const Element<T>& location, same_t<T> expected, same_t<T> desired) {
  return location.change([&](T& x) { return plain_cas(x, expected, desired); });
}

}  // namespace irgl
