// Objects of the device, by device_new and device_delete.
#pragma once
#include "detail/run.h"
#include "device_malloc.h"
#include "for_each.h"

namespace thrust {

template <class T>
IRGL_EMU_MEMBER device_ptr<T> device_new(device_ptr<void> at, const T& value, size_t n = 1) {
  T* const p = static_cast<T*>(at.get());
  detail::each(device_system_tag{}, "thrust::device_new", n,
               [=](long i) IRGL_EMU_BODY { ::new ((void*)(p + i)) T(value); });
  return device_ptr<T>(p);
}
template <class T>
IRGL_EMU_MEMBER device_ptr<T> device_new(device_ptr<void> at, size_t n = 1) {
  return thrust::device_new<T>(at, T(), n);
}
template <class T>
IRGL_EMU_MEMBER device_ptr<T> device_new(size_t n = 1) {
  return thrust::device_new<T>(device_ptr<void>(thrust::device_malloc<T>(n)), T(), n);
}
template <class T>
IRGL_EMU_MEMBER void device_delete(device_ptr<T> p, size_t n = 1) {
  if constexpr (!std::is_trivially_destructible_v<T>) {
    T* const at = p.get();
    detail::each(device_system_tag{}, "thrust::device_delete", n, [=](long i) IRGL_EMU_BODY { at[i].~T(); });
  }
  thrust::device_free(p);
}

}  // namespace thrust
