// How an algorithm runs by its policy: as a kernel, or, on the host and inside of a kernel, right here.
//
//     each(policy, "name", n, body)    body(i) for all i < n: a kernel of many threads
//     once(policy, "name", body)       body() by one thread; the host does not need what it returns
//     result(policy, "name", body)     what body() by one thread returns
#pragma once
#include "../system_error.h"
#include "policy.h"
#include "unwrap.h"

namespace thrust::detail {

struct launch_failed : system_error {
  explicit launch_failed(cudaError_t e) : system_error((cudaGetLastError(), e), cuda_category(), "kernel") {}
};

template <class P>
IRGL_EMU_MEMBER void wait(const P& p, const char* name) {
  if constexpr (stream_of<P>::waits) check(cudaStreamSynchronize(stream_of<P>::of(p)), name);
}

template <class P, class Body>
IRGL_EMU_MEMBER void each(const P& p, const char* name, long n, Body body) {
  if constexpr (on_device<P>) {
    if (!irgl_emu_in_kernel()) {
      check(irgl_emu::each(name, n, body, stream_of<P>::of(p)), name);
      wait(p, name);
      return;
    }
  }
  for (long i = 0; i < n; i++) body(i);
}

template <class P, class Body>
IRGL_EMU_MEMBER void once(const P& p, const char* name, Body body) {
  if constexpr (on_device<P>) {
    if (!irgl_emu_in_kernel()) {
      check(irgl_emu::once(name, body, stream_of<P>::of(p)), name);
      wait(p, name);
      return;
    }
  }
  body();
}

template <class P, class Body>
IRGL_EMU_MEMBER auto result(const P& p, const char* name, Body body) {
  if constexpr (on_device<P>) {
    if (!irgl_emu_in_kernel()) return irgl_emu::result<launch_failed>(name, body, stream_of<P>::of(p));
  }
  return body();
}

// The iterator that the body has: of the device, a raw one.
template <class P, class I>
IRGL_EMU_MEMBER auto raw(const P&, I i) {
  if constexpr (on_device<P>) {
    return unwrap(i);
  } else {
    return i;
  }
}

// Memory of an algorithm's own, of n objects that the body constructs.
template <class P, class T>
struct temporary {
  T* data = nullptr;
  bool device = false;
  IRGL_EMU_MEMBER temporary(const P&, long n) {
    if (n <= 0) return;
    if constexpr (on_device<P>) {
      if (!irgl_emu_in_kernel()) {
        device = true;
        const cudaError_t e = cudaMalloc(&data, n * sizeof(T));
        if (e != cudaSuccess) no_memory(e);
        return;
      }
    }
    data = static_cast<T*>(::malloc(n * sizeof(T)));
  }
  temporary(const temporary&) = delete;
  IRGL_EMU_MEMBER ~temporary() {
    if (device) {
      cudaFree(data);
    } else {
      ::free(data);
    }
  }
};

}  // namespace thrust::detail
