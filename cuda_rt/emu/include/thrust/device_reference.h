// An element of the device's memory: the host's reads and writes of it are copies.
#pragma once
#include "detail/device_ptr.h"
#include "detail/room.h"
#include "swap.h"

namespace thrust {

template <class T>
class device_reference {
  T* at_;

 public:
  using value_type = std::remove_cv_t<T>;
  using pointer = device_ptr<T>;
  IRGL_EMU_MEMBER explicit device_reference(const pointer& p) : at_(p.get()) {}
  device_reference(const device_reference&) = default;
  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  IRGL_EMU_MEMBER device_reference(const device_reference<U>& o) : at_(o.address()) {}

  IRGL_EMU_MEMBER T* address() const { return at_; }
  IRGL_EMU_MEMBER pointer operator&() const { return pointer(at_); }
  IRGL_EMU_MEMBER operator value_type() const {
    if (irgl_emu_in_kernel()) return *at_;
    detail::room<value_type> room;
    detail::copied(cudaMemcpy(room.bytes, at_, sizeof(T), cudaMemcpyDeviceToHost), "device_reference");
    return room.value();
  }
  IRGL_EMU_MEMBER const device_reference& set(const value_type& v) const {
    if (irgl_emu_in_kernel()) {
      *const_cast<value_type*>(at_) = v;
    } else {
      detail::copied(cudaMemcpy((void*)at_, &v, sizeof(T), cudaMemcpyHostToDevice), "device_reference");
    }
    return *this;
  }
  IRGL_EMU_MEMBER device_reference& operator=(const value_type& v) {
    set(v);
    return *this;
  }
  IRGL_EMU_MEMBER const device_reference& operator=(const value_type& v) const { return set(v); }
  IRGL_EMU_MEMBER device_reference& operator=(const device_reference& o) {
    set(value_type(o));
    return *this;
  }
  template <class U>
  IRGL_EMU_MEMBER device_reference& operator=(const device_reference<U>& o) {
    set(value_type(typename device_reference<U>::value_type(o)));
    return *this;
  }
  IRGL_EMU_MEMBER void swap(device_reference& o) {
    const value_type other = o;
    o.set(*this);
    set(other);
  }
#define IRGL_EMU_ASSIGN(op)                                                  \
  template <class U>                                                         \
  IRGL_EMU_MEMBER device_reference& operator op(const U& v) {                \
    value_type now = *this;                                                  \
    now op v;                                                                \
    set(now);                                                                \
    return *this;                                                            \
  }
  IRGL_EMU_ASSIGN(+=)
  IRGL_EMU_ASSIGN(-=)
  IRGL_EMU_ASSIGN(*=)
  IRGL_EMU_ASSIGN(/=)
  IRGL_EMU_ASSIGN(%=)
  IRGL_EMU_ASSIGN(&=)
  IRGL_EMU_ASSIGN(|=)
  IRGL_EMU_ASSIGN(^=)
  IRGL_EMU_ASSIGN(<<=)
  IRGL_EMU_ASSIGN(>>=)
#undef IRGL_EMU_ASSIGN
  IRGL_EMU_MEMBER device_reference& operator++() { return *this += 1; }
  IRGL_EMU_MEMBER device_reference& operator--() { return *this -= 1; }
  IRGL_EMU_MEMBER value_type operator++(int) {
    const value_type before = *this;
    *this += 1;
    return before;
  }
  IRGL_EMU_MEMBER value_type operator--(int) {
    const value_type before = *this;
    *this -= 1;
    return before;
  }
};

#define IRGL_EMU_COMPARE(op)                                                                                   \
  template <class T, class U>                                                                                  \
  IRGL_EMU_MEMBER bool operator op(const device_reference<T>& a, const device_reference<U>& b) {               \
    return std::remove_cv_t<T>(a) op std::remove_cv_t<U>(b);                                                   \
  }                                                                                                            \
  template <class T, class U>                                                                                  \
  IRGL_EMU_MEMBER auto operator op(const device_reference<T>& a, const U& b)                                   \
      -> decltype(std::declval<std::remove_cv_t<T>>() op b) {                                                  \
    return std::remove_cv_t<T>(a) op b;                                                                        \
  }                                                                                                            \
  template <class T, class U>                                                                                  \
  IRGL_EMU_MEMBER auto operator op(const U& a, const device_reference<T>& b)                                   \
      -> decltype(a op std::declval<std::remove_cv_t<T>>()) {                                                  \
    return a op std::remove_cv_t<T>(b);                                                                        \
  }
IRGL_EMU_COMPARE(==)
IRGL_EMU_COMPARE(!=)
IRGL_EMU_COMPARE(<)
IRGL_EMU_COMPARE(>)
IRGL_EMU_COMPARE(<=)
IRGL_EMU_COMPARE(>=)
#undef IRGL_EMU_COMPARE

template <class Stream, class T>
IRGL_EMU_MEMBER auto operator<<(Stream& out, const device_reference<T>& r)
    -> decltype(out << std::declval<std::remove_cv_t<T>>()) {
  return out << std::remove_cv_t<T>(r);
}
template <class T>
IRGL_EMU_MEMBER void swap(device_reference<T> a, device_reference<T> b) {
  a.swap(b);
}

}  // namespace thrust
