// Where a value is in a sorted range, or where many values are.
#pragma once
#include "detail/run.h"
#include "detail/usual.h"
#include "functional.h"
#include "pair.h"

namespace thrust {

namespace detail {
// The first place whose element is not below the value (After: whose element is above it).
template <bool After, class A, class T, class F>
IRGL_EMU_MEMBER long bound(A a, long n, const T& value, F& less) {
  long low = 0;
  while (n > 0) {
    const long half = n / 2;
    if (After ? !less(value, given(a[low + half])) : less(given(a[low + half]), value)) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}
struct lower {
  template <class A, class T, class F>
  IRGL_EMU_MEMBER static long of(A a, long n, const T& value, F& less) {
    return bound<false>(a, n, value, less);
  }
};
struct upper {
  template <class A, class T, class F>
  IRGL_EMU_MEMBER static long of(A a, long n, const T& value, F& less) {
    return bound<true>(a, n, value, less);
  }
};
struct contained {
  template <class A, class T, class F>
  IRGL_EMU_MEMBER static bool of(A a, long n, const T& value, F& less) {
    const long at = bound<false>(a, n, value, less);
    return at < n && !less(value, given(a[at]));
  }
};

template <class Found, class P, class I, class T, class F>
IRGL_EMU_MEMBER auto search_one(const P& p, const char* name, I first, I last, const T& value, F less) {
  const long n = last - first;
  auto a = raw(p, first);
  const T v = value;
  return result(p, name, [=]() IRGL_EMU_BODY { return Found::of(a, n, v, less); });
}
template <class Found, class P, class I, class J, class O, class F>
IRGL_EMU_MEMBER O search_many(const P& p, const char* name, I first, I last, J values, J values_end, O to, F less) {
  const long n = last - first, m = values_end - values;
  auto a = raw(p, first);
  auto v = raw(p, values);
  auto o = raw(p, to);
  each(p, name, m, [=](long i) IRGL_EMU_BODY { o[i] = Found::of(a, n, given(v[i]), less); });
  return to + m;
}
}  // namespace detail

#define IRGL_EMU_SEARCH(name, Found, Result, start)                                                             \
  template <class P, class I, class T, class F, class = detail::if_policy<P>>                                   \
  IRGL_EMU_MEMBER Result name(const P& p, I first, I last, const T& value, F less) {                            \
    return start detail::search_one<Found>(p, "thrust::" #name, first, last, value, less);                      \
  }                                                                                                             \
  template <class P, class I, class T, class = detail::if_policy<P>>                                            \
  IRGL_EMU_MEMBER Result name(const P& p, I first, I last, const T& value) {                                    \
    return thrust::name(p, first, last, value, less<>());                                                       \
  }                                                                                                             \
  template <class P, class I, class J, class O, class F, class = detail::if_policy<P>>                          \
  IRGL_EMU_MEMBER O name(const P& p, I first, I last, J values, J values_end, O to, F less) {                   \
    return detail::search_many<Found>(p, "thrust::" #name, first, last, values, values_end, to, less);          \
  }                                                                                                             \
  template <class P, class I, class J, class O, class = detail::if_policy<P>>                                   \
  IRGL_EMU_MEMBER O name(const P& p, I first, I last, J values, J values_end, O to) {                           \
    return thrust::name(p, first, last, values, values_end, to, less<>());                                      \
  }                                                                                                             \
  IRGL_EMU_ANYWHERE(name)
IRGL_EMU_SEARCH(lower_bound, detail::lower, I, first +)
IRGL_EMU_SEARCH(upper_bound, detail::upper, I, first +)
IRGL_EMU_SEARCH(binary_search, detail::contained, bool, )
#undef IRGL_EMU_SEARCH

template <class P, class I, class T, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<I, I> equal_range(const P& p, I first, I last, const T& value, F less) {
  return pair<I, I>(thrust::lower_bound(p, first, last, value, less), thrust::upper_bound(p, first, last, value, less));
}
template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<I, I> equal_range(const P& p, I first, I last, const T& value) {
  return thrust::equal_range(p, first, last, value, less<>());
}
IRGL_EMU_ANYWHERE(equal_range)

}  // namespace thrust
