// thrust::swap.
#pragma once
#include "detail/config.h"

namespace thrust {

template <class T>
IRGL_EMU_MEMBER void swap(T& a, T& b) {
  T other = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(other);
}

}  // namespace thrust
#include "detail/swap_ranges.h"
