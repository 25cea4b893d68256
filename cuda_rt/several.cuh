// A variable of several values, each by its number: a thread has all of them.
#pragma once
#include "types.cuh"

namespace irgl {

template <class T, int K>
struct Several {
  T at[K];
  Several() = default;
  IRGL_BOTH explicit Several(T each) {
    for (int k = 0; k < K; ++k) at[k] = each;
  }
  IRGL_BOTH T& operator[](int64_t k) { return at[k]; }
  IRGL_BOTH const T& operator[](int64_t k) const { return at[k]; }
};

}  // namespace irgl
