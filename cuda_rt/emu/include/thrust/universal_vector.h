// Vectors of managed memory, whose elements the host reads and writes by itself.
#pragma once
#include "device_vector.h"
#include "universal_allocator.h"

namespace thrust {

template <class T, class Allocator = universal_allocator<T>>
class universal_vector : public detail::memory_vector<universal_vector<T, Allocator>, T, universal_ptr<T>, Allocator> {
  using base = detail::memory_vector<universal_vector, T, universal_ptr<T>, Allocator>;

 public:
  IRGL_EMU_VECTOR_MEMBERS(universal_vector)
};
template <class T>
using universal_host_pinned_vector = universal_vector<T, universal_host_pinned_allocator<T>>;

}  // namespace thrust
