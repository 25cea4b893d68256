// A variable of several values, each by its number; where a ForAll combines them, each by itself.
#pragma once
#include "reducers.hpp"

namespace irgl {

template <class T, int K>
struct Several {
  T at[K];
  Several() = default;
  IRGL_INLINE explicit Several(T each) {
    for (int k = 0; k < K; ++k) at[k] = each;
  }
  IRGL_INLINE T& operator[](int64_t k) { return at[k]; }
  IRGL_INLINE const T& operator[](int64_t k) const { return at[k]; }
};

namespace detail {

template <class Op>
struct Each {
  template <class T, int K>
  IRGL_INLINE Several<T, K> operator()(const Several<T, K>& a, const Several<T, K>& b) const {
    Several<T, K> both;
    for (int k = 0; k < K; ++k) both.at[k] = Op{}(a.at[k], b.at[k]);
    return both;
  }
};

}  // namespace detail

template <class T, int K>
IRGL_INLINE Reducer<Several<T, K>, detail::Each<detail::Add>> sum(Several<T, K>& x) { return {x, Several<T, K>(T(0))}; }
template <class T, int K>
IRGL_INLINE Reducer<Several<T, K>, detail::Each<detail::Min>> min_of(Several<T, K>& x) { return {x, x}; }
template <class T, int K>
IRGL_INLINE Reducer<Several<T, K>, detail::Each<detail::Max>> max_of(Several<T, K>& x) { return {x, x}; }
template <class T, int K>
IRGL_INLINE Reducer<Several<T, K>, detail::Each<detail::Or>> bit_or(Several<T, K>& x) {
  return {x, Several<T, K>(T(0))};
}
template <class T, int K>
IRGL_INLINE Reducer<Several<T, K>, detail::Each<detail::And>> bit_and(Several<T, K>& x) { return {x, x}; }

}  // namespace irgl
