// device_allocator.
#pragma once
#include "device_malloc_allocator.h"

namespace thrust {

template <class T>
class device_allocator : public device_malloc_allocator<T> {
 public:
  template <class U>
  struct rebind {
    using other = device_allocator<U>;
  };
  device_allocator() = default;
  template <class U>
  IRGL_EMU_MEMBER device_allocator(const device_allocator<U>&) {}
};

}  // namespace thrust
