// Iterators and references of the device as kernels see them: with raw pointers inside. Iterators add their own cases.
#pragma once
#include "config.h"

namespace thrust {

template <class T>
class device_reference;

namespace detail {
template <class I>
struct unwrapping {
  using type = I;
  IRGL_EMU_MEMBER static type of(const I& i) { return i; }
};
template <class I>
using unwrapped = typename unwrapping<I>::type;
template <class I>
IRGL_EMU_MEMBER unwrapped<I> unwrap(const I& i) {
  return unwrapping<I>::of(i);
}

// What `*it` gives, as an argument of a user's function.
template <class T>
IRGL_EMU_MEMBER T&& given(T&& v) {
  irgl_emu_step();
  return static_cast<T&&>(v);
}
template <class T>
IRGL_EMU_MEMBER T& given(device_reference<T>& r) {
  irgl_emu_step();
  return *r.address();
}
template <class T>
IRGL_EMU_MEMBER T& given(device_reference<T>&& r) {
  irgl_emu_step();
  return *r.address();
}
template <class T>
IRGL_EMU_MEMBER T& given(const device_reference<T>& r) {
  irgl_emu_step();
  return *r.address();
}
}  // namespace detail

}  // namespace thrust
