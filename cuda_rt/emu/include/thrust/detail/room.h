// Room on the host for a value that a copy brings.
#pragma once
#include "../system_error.h"

namespace thrust::detail {

// A copy that the emulator has told to be wrong is no reason to end the program.
IRGL_EMU_MEMBER void copied(cudaError_t e, const char* name) {
  if (e == cudaErrorInvalidValue) {
    cudaGetLastError();
  } else {
    check(e, name);
  }
}

template <class T>
struct room {
  alignas(T) char bytes[sizeof(T)];
  IRGL_EMU_MEMBER T& value() { return *std::launder(reinterpret_cast<T*>(bytes)); }
};

// Many of them.
template <class T>
struct host_room {
  T* data;
  IRGL_EMU_MEMBER explicit host_room(long n) : data(static_cast<T*>(::malloc(n * sizeof(T) + 1))) {}
  host_room(const host_room&) = delete;
  IRGL_EMU_MEMBER ~host_room() { ::free(data); }
};

}  // namespace thrust::detail
