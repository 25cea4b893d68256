// Memory of the device, by device_malloc and device_free.
#pragma once
#include "detail/device_ptr.h"
#include "system_error.h"

namespace thrust {

template <class T>
IRGL_EMU_MEMBER device_ptr<T> device_malloc(size_t n) {
  T* p = nullptr;
  const cudaError_t e = cudaMalloc(&p, n * sizeof(T));
  if (e != cudaSuccess) detail::no_memory(e);
  return device_ptr<T>(p);
}
IRGL_EMU_MEMBER device_ptr<void> device_malloc(size_t n) {
  void* p = nullptr;
  const cudaError_t e = cudaMalloc(&p, n);
  if (e != cudaSuccess) detail::no_memory(e);
  return device_ptr<void>(p);
}
IRGL_EMU_MEMBER void device_free(device_ptr<void> p) { detail::check(cudaFree(p.get()), "device_free"); }

}  // namespace thrust
