// cuda::std::numeric_limits: the C++ library's, and those of floats of 16 bits, of which that one knows nothing.
#pragma once
#include <limits>

namespace cuda {
namespace std {
template <class T>
struct numeric_limits : ::std::numeric_limits<T> {};
}  // namespace std
}  // namespace cuda
