// Iterators some elements further.
#pragma once
#include "config.h"

namespace thrust {

template <class I, class N>
IRGL_EMU_MEMBER constexpr void advance(I& i, N n) {
  if constexpr (std::is_base_of_v<std::random_access_iterator_tag,
                                  typename std::iterator_traits<I>::iterator_category>) {
    i += n;
  } else {
    for (; n > 0; n--) ++i;
    if constexpr (std::is_base_of_v<std::bidirectional_iterator_tag,
                                    typename std::iterator_traits<I>::iterator_category>) {
      for (; n < 0; n++) --i;
    }
  }
}
template <class I>
IRGL_EMU_MEMBER constexpr I next(I i, typename std::iterator_traits<I>::difference_type n = 1) {
  thrust::advance(i, n);
  return i;
}
template <class I>
IRGL_EMU_MEMBER constexpr I prev(I i, typename std::iterator_traits<I>::difference_type n = 1) {
  thrust::advance(i, -n);
  return i;
}

}  // namespace thrust
