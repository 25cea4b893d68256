// The allocator of device_vector. One of your own may change allocate and deallocate, or have a construct(T*) that does
// nothing: then new elements stay as they are.
#pragma once
#include "device_malloc.h"

namespace thrust {

template <class T>
class device_malloc_allocator {
 public:
  using value_type = T;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  template <class U>
  struct rebind {
    using other = device_malloc_allocator<U>;
  };
  device_malloc_allocator() = default;
  template <class U>
  IRGL_EMU_MEMBER device_malloc_allocator(const device_malloc_allocator<U>&) {}
  IRGL_EMU_MEMBER pointer allocate(size_type n) { return thrust::device_malloc<T>(n); }
  IRGL_EMU_MEMBER void deallocate(pointer p, size_type) { thrust::device_free(p); }
  IRGL_EMU_MEMBER bool operator==(const device_malloc_allocator&) const { return true; }
  IRGL_EMU_MEMBER bool operator!=(const device_malloc_allocator&) const { return false; }
};

}  // namespace thrust
