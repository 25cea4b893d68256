// The allocator of device_vector, under its other name.
#pragma once
#include "device_malloc_allocator.h"

namespace thrust {
template <class T>
using device_new_allocator = device_malloc_allocator<T>;
}
