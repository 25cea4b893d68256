// Vectors of the device's memory.
#pragma once
#include <initializer_list>
#include <vector>

#include "detail/memory_vector.h"
#include "device_allocator.h"
#include "host_vector.h"

namespace thrust {

template <class T, class Allocator = device_allocator<T>>
class device_vector : public detail::memory_vector<device_vector<T, Allocator>, T, device_ptr<T>, Allocator> {
  using base = detail::memory_vector<device_vector, T, device_ptr<T>, Allocator>;

 public:
  using base::base;
  device_vector() = default;
  IRGL_EMU_MEMBER device_vector(const device_vector& o) : base(o) {}
  IRGL_EMU_MEMBER device_vector(device_vector&& o) : base(static_cast<device_vector&&>(o)) {}
  IRGL_EMU_MEMBER device_vector(std::initializer_list<T> l) { this->assign(l.begin(), l.end()); }
  IRGL_EMU_MEMBER ~device_vector() {}
  IRGL_EMU_MEMBER device_vector& operator=(const device_vector& o) {
    if (this != &o) this->assign(o.begin(), o.end());
    return *this;
  }
  IRGL_EMU_MEMBER device_vector& operator=(device_vector&& o) {
    this->take(o);
    return *this;
  }
  template <class V, class = detail::if_other_vector<V, device_vector>>
  IRGL_EMU_MEMBER device_vector& operator=(const V& o) {
    this->assign(o.begin(), o.end());
    return *this;
  }
  IRGL_EMU_MEMBER device_vector& operator=(std::initializer_list<T> l) {
    this->assign(l.begin(), l.end());
    return *this;
  }
};

}  // namespace thrust

#include "detail/vector_equal.h"
