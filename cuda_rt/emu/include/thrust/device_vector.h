// Vectors of the device's memory.
#pragma once
#include <initializer_list>
#include <vector>

#include "detail/memory_vector.h"
#include "detail/vector_equal.h"
#include "detail/vector_members.h"
#include "device_allocator.h"

namespace thrust {

template <class T, class Allocator = device_allocator<T>>
class device_vector : public detail::memory_vector<device_vector<T, Allocator>, T, device_ptr<T>, Allocator> {
  using base = detail::memory_vector<device_vector, T, device_ptr<T>, Allocator>;

 public:
  IRGL_EMU_VECTOR_MEMBERS(device_vector)
};

}  // namespace thrust
