// Managed and page-locked memory.
#pragma once
#include "system_error.h"
#include "universal_ptr.h"

namespace thrust {

namespace detail {
template <class T, bool Managed>
class shared_allocator {
 public:
  using value_type = T;
  using pointer = universal_ptr<T>;
  IRGL_EMU_MEMBER pointer allocate(size_t n) {
    T* p = nullptr;
    const cudaError_t e = Managed ? cudaMallocManaged(&p, n * sizeof(T)) : cudaMallocHost(&p, n * sizeof(T));
    if (e != cudaSuccess) no_memory(e);
    return pointer(p);
  }
  IRGL_EMU_MEMBER void deallocate(pointer p, size_t) {
    if (Managed) {
      cudaFree(p.get());
    } else {
      cudaFreeHost(p.get());
    }
  }
};
}  // namespace detail
template <class T>
using universal_allocator = detail::shared_allocator<T, true>;
template <class T>
using universal_host_pinned_allocator = detail::shared_allocator<T, false>;

}  // namespace thrust
