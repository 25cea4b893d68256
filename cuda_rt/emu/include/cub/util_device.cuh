// What CUB's functions for whole arrays have in common. Each is a kernel of one thread here, as a stream has it: what
// it reads and writes is checked, what it costs on a GPU nobody learns.
#pragma once
#include <iterator>
#include <limits>
#include <type_traits>

#include "../irgl_emu/parallel.h"
#include "../irgl_emu/together.h"
#include "util_type.cuh"

namespace cub {

template <class Kernel>
IRGL_EMU_INLINE cudaError_t MaxSmOccupancy(int& blocks, Kernel kernel, int block_threads, int dynamic_bytes = 0) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_threads, dynamic_bytes);
}
IRGL_EMU_INLINE int CurrentDevice() {
  int device = -1;
  return cudaGetDevice(&device) == cudaSuccess ? device : -1;
}
IRGL_EMU_INLINE int DeviceCount() {
  int n = -1;
  return cudaGetDeviceCount(&n) == cudaSuccess ? n : -1;
}
IRGL_EMU_INLINE cudaError_t SmVersion(int& version, int = 0) {
  version = 800;
  return cudaSuccess;
}
IRGL_EMU_INLINE cudaError_t PtxVersion(int& version, int = 0) { return SmVersion(version); }

template <class Iterator>
using IrglEmuValue = typename std::iterator_traits<Iterator>::value_type;

// The value type of an output, or that of the input where the output has none (a discarding iterator's).
template <class Output, class Input>
using IrglEmuOutput =
    std::conditional_t<std::is_void_v<IrglEmuValue<Output>>, IrglEmuValue<Input>, IrglEmuValue<Output>>;

// Two calls: without memory a function says how much it needs, with it it works.
template <class Body>
IRGL_EMU_INLINE cudaError_t irgl_emu_whole(const char* name, void* temp, size_t& bytes, size_t needed,
                                           cudaStream_t stream, Body body) {
  if (temp == nullptr) {
    bytes = needed > 0 ? needed : 1;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;
  const auto checked = [=]() mutable {
    *static_cast<char*>(temp) = 0;
    body();
  };
  return irgl_emu::once(name, checked, stream);
}

}  // namespace cub
