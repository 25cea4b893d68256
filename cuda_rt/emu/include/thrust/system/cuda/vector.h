// Vectors of the device, under the name they have in thrust/system/cuda.
#pragma once
#include "../../device_vector.h"

namespace thrust::system::cuda {
template <class T, class Allocator = thrust::device_allocator<T>>
using vector = thrust::device_vector<T, Allocator>;
}
