// cuda::std is the C++ library itself, whose text kernels of the emulator can run; cuda::std::atomic apart.
#pragma once

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}  // namespace std
}  // namespace cuda
