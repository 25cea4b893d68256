// Memory for what nobody can say the size of beforehand: managed memory, of which pages are there once they are
// touched. Where the device and the host may both use it at any time, as much as the device has, all in all more than
// there is; elsewhere (it is all there from the start) a small part. The host reads and writes it between launches.
//
//     irgl::Vast<T> v = irgl::make_vast<T>(c);    v.data[0 .. v.capacity], the last for what goes astray
#pragma once
#include "launch.cuh"

namespace irgl {

template <class T>
struct Vast {
  T* data = nullptr;
  counter_t capacity = 0;
};

template <class T>
Vast<T> make_vast(Launcher& c) {
  int lazy = 0, device = 0;
  size_t free = 0, total = 0;
  void* p = nullptr;
  if (c.failed()) return {};
  c.check(cudaGetDevice(&device));
  c.check(cudaDeviceGetAttribute(&lazy, cudaDevAttrConcurrentManagedAccess, device));
  c.check(cudaMemGetInfo(&free, &total));
  const size_t bytes = (lazy != 0 ? total : free / 32) / sizeof(T) * sizeof(T);
  if (!c.check(cudaMallocManaged(&p, bytes))) return {};
  return {static_cast<T*>(p), bytes / sizeof(T) - 1};
}
template <class T>
void drop_vast(Launcher& c, T* data) {
  if (data == nullptr) return;
  c.settle();
  c.check(cudaFree(static_cast<void*>(data)));
}

}  // namespace irgl
