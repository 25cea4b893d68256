// Pointers to managed memory, which host and device read and write alike.
#pragma once
#include "detail/device_ptr.h"

namespace thrust {

template <class T>
class universal_ptr : public iterator_adaptor<universal_ptr<T>, T*, std::remove_cv_t<T>, device_system_tag> {
  using adaptor = iterator_adaptor<universal_ptr, T*, std::remove_cv_t<T>, device_system_tag>;
  friend class iterator_core_access;
  IRGL_EMU_MEMBER T& dereference() const { return *this->base(); }

 public:
  using reference = T&;
  IRGL_EMU_MEMBER universal_ptr(decltype(nullptr) = nullptr) : adaptor(nullptr) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  IRGL_EMU_MEMBER explicit universal_ptr(U* p) : adaptor(p) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  IRGL_EMU_MEMBER universal_ptr(const universal_ptr<U>& p) : adaptor(p.get()) {}
  IRGL_EMU_MEMBER T* get() const { return this->base(); }
  IRGL_EMU_MEMBER T& operator*() const { return *get(); }
  IRGL_EMU_MEMBER T& operator[](ptrdiff_t n) const { return get()[n]; }
  IRGL_EMU_MEMBER T* operator->() const { return get(); }
  IRGL_EMU_MEMBER explicit operator bool() const { return get() != nullptr; }
};

namespace detail {
template <class T>
struct unwrapping<universal_ptr<T>> {
  using type = T*;
  IRGL_EMU_MEMBER static T* of(const universal_ptr<T>& p) { return p.get(); }
};
}  // namespace detail

}  // namespace thrust

#include "universal_allocator.h"
