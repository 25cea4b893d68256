// Pointers, and memory of the system that a policy names.
#pragma once
#include "detail/policy.h"
#include "device_malloc.h"

namespace thrust {

template <class T, class P, class = detail::if_policy<P>>
IRGL_EMU_MEMBER auto malloc(const P&, size_t n) {
  if constexpr (detail::on_device<P>) {
    return thrust::device_malloc<T>(n);
  } else {
    return static_cast<T*>(::malloc(n * sizeof(T)));
  }
}
template <class P, class Pointer, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void free(const P&, Pointer p) {
  if constexpr (detail::on_device<P>) {
    detail::check(cudaFree((void*)thrust::raw_pointer_cast(p)), "free");
  } else {
    ::free((void*)thrust::raw_pointer_cast(p));
  }
}

}  // namespace thrust
