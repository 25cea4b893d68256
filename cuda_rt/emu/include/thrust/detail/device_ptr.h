// Pointers to the device's memory.
#pragma once
#include "../iterator/iterator_adaptor.h"
#include "unwrap.h"

namespace thrust {

template <class T>
class device_ptr;
template <>
class device_ptr<void> {
  void* p_ = nullptr;

 public:
  using raw_pointer = void*;
  using element_type = void;
  device_ptr() = default;
  IRGL_EMU_MEMBER device_ptr(decltype(nullptr)) {}
  IRGL_EMU_MEMBER explicit device_ptr(void* p) : p_(p) {}
  template <class U, class = std::enable_if_t<!std::is_void_v<U>>>
  IRGL_EMU_MEMBER device_ptr(const device_ptr<U>& p) : p_(p.get()) {}
  IRGL_EMU_MEMBER void* get() const { return p_; }
  IRGL_EMU_MEMBER explicit operator bool() const { return p_ != nullptr; }
};

template <class T>
class device_ptr : public iterator_adaptor<device_ptr<T>, T*, std::remove_cv_t<T>, device_system_tag,
                                           random_access_traversal_tag, device_reference<T>, ptrdiff_t> {
  using adaptor = iterator_adaptor<device_ptr<T>, T*, std::remove_cv_t<T>, device_system_tag,
                                   random_access_traversal_tag, device_reference<T>, ptrdiff_t>;
  friend class iterator_core_access;
  IRGL_EMU_MEMBER device_reference<T> dereference() const { return device_reference<T>(*this); }

 public:
  using raw_pointer = T*;
  using element_type = T;
  template <class U>
  using rebind = device_ptr<U>;
  IRGL_EMU_MEMBER device_ptr() : adaptor(nullptr) {}
  IRGL_EMU_MEMBER device_ptr(decltype(nullptr)) : adaptor(nullptr) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  IRGL_EMU_MEMBER explicit device_ptr(U* p) : adaptor(p) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  IRGL_EMU_MEMBER device_ptr(const device_ptr<U>& p) : adaptor(p.get()) {}
  template <class U = T, class = std::enable_if_t<!std::is_void_v<U>>>
  IRGL_EMU_MEMBER explicit device_ptr(const device_ptr<void>& p) : adaptor(static_cast<U*>(p.get())) {}
  IRGL_EMU_MEMBER T* get() const { return this->base_reference(); }
  IRGL_EMU_MEMBER explicit operator bool() const { return get() != nullptr; }
  IRGL_EMU_MEMBER T* operator->() const { return get(); }
};

template <class T>
IRGL_EMU_MEMBER bool operator==(const device_ptr<T>& p, decltype(nullptr)) {
  return p.get() == nullptr;
}
template <class T>
IRGL_EMU_MEMBER bool operator!=(const device_ptr<T>& p, decltype(nullptr)) {
  return p.get() != nullptr;
}
template <class Stream, class T>
IRGL_EMU_MEMBER auto operator<<(Stream& out, const device_ptr<T>& p) -> decltype(out << p.get()) {
  return out << p.get();
}

template <class T>
IRGL_EMU_MEMBER device_ptr<T> device_pointer_cast(T* p) {
  return device_ptr<T>(p);
}
template <class T>
IRGL_EMU_MEMBER device_ptr<T> device_pointer_cast(const device_ptr<T>& p) {
  return p;
}
template <class T>
IRGL_EMU_MEMBER constexpr T* raw_pointer_cast(T* p) {
  return p;
}
template <class P>
IRGL_EMU_MEMBER auto raw_pointer_cast(const P& p) -> decltype(p.get()) {
  return p.get();
}
template <class T>
IRGL_EMU_MEMBER T& raw_reference_cast(T& v) {
  return v;
}
template <class T>
IRGL_EMU_MEMBER const T& raw_reference_cast(const T& v) {
  return v;
}
template <class T>
IRGL_EMU_MEMBER T& raw_reference_cast(device_reference<T>& r) {
  return *r.address();
}
template <class T>
IRGL_EMU_MEMBER T& raw_reference_cast(const device_reference<T>& r) {
  return *r.address();
}

namespace detail {
template <class T>
struct unwrapping<device_ptr<T>> {
  using type = T*;
  IRGL_EMU_MEMBER static T* of(const device_ptr<T>& p) { return p.get(); }
};

// What vectors have: a pointer, as a class of its own.
template <class Pointer>
class normal_iterator : public iterator_adaptor<normal_iterator<Pointer>, Pointer> {
  using base_class = iterator_adaptor<normal_iterator<Pointer>, Pointer>;

 public:
  normal_iterator() = default;
  IRGL_EMU_MEMBER explicit normal_iterator(const Pointer& p) : base_class(p) {}
  template <class Other, class = std::enable_if_t<std::is_convertible_v<Other, Pointer>>>
  IRGL_EMU_MEMBER normal_iterator(const normal_iterator<Other>& o) : base_class(o.base()) {}
};
template <class Pointer>
struct unwrapping<normal_iterator<Pointer>> {
  using type = unwrapped<Pointer>;
  IRGL_EMU_MEMBER static type of(const normal_iterator<Pointer>& i) { return unwrap(i.base()); }
};
}  // namespace detail

}  // namespace thrust

#include "../device_reference.h"
