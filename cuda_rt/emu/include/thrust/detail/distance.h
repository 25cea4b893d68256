// How far it is from one iterator to another.
#pragma once
#include "config.h"

namespace thrust {

template <class I>
IRGL_EMU_MEMBER constexpr typename std::iterator_traits<I>::difference_type distance(I first, I last) {
  if constexpr (std::is_base_of_v<std::random_access_iterator_tag,
                                  typename std::iterator_traits<I>::iterator_category>) {
    return last - first;
  } else {
    typename std::iterator_traits<I>::difference_type n = 0;
    for (; first != last; ++first) n++;
    return n;
  }
}

}  // namespace thrust
