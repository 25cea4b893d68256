// The smallest and the largest: of two values, and of a range.
#pragma once
#include "detail/run.h"
#include "detail/usual.h"
#include "execution_policy.h"
#include "functional.h"
#include "pair.h"

namespace thrust {

template <class T, class F>
IRGL_EMU_MEMBER constexpr T min(const T& a, const T& b, F less) {
  return less(b, a) ? b : a;
}
template <class T>
IRGL_EMU_MEMBER constexpr T min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T, class F>
IRGL_EMU_MEMBER constexpr T max(const T& a, const T& b, F less) {
  return less(a, b) ? b : a;
}
template <class T>
IRGL_EMU_MEMBER constexpr T max(const T& a, const T& b) {
  return a < b ? b : a;
}

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<I, I> minmax_element(const P& p, I first, I last, F less) {
  const long n = last - first;
  if (n <= 0) return pair<I, I>(last, last);
  auto a = detail::raw(p, first);
  struct Places {
    long least, most;
  };
  const Places at = detail::result(p, "thrust::minmax_element", [=]() IRGL_EMU_BODY {
    Places best = {0, 0};
    for (long i = 1; i < n; i++) {
      if (less(detail::given(a[i]), detail::given(a[best.least]))) best.least = i;
      if (less(detail::given(a[best.most]), detail::given(a[i]))) best.most = i;
    }
    return best;
  });
  return pair<I, I>(first + at.least, first + at.most);
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<I, I> minmax_element(const P& p, I first, I last) {
  return thrust::minmax_element(p, first, last, less<typename std::iterator_traits<I>::value_type>());
}
IRGL_EMU_ANYWHERE(minmax_element)

#define IRGL_EMU_BEST(name, better)                                                                  \
  template <class P, class I, class F, class = detail::if_policy<P>>                                 \
  IRGL_EMU_MEMBER I name(const P& p, I first, I last, F less) {                                      \
    const long n = last - first;                                                                     \
    if (n <= 0) return last;                                                                         \
    auto a = detail::raw(p, first);                                                                  \
    return first + detail::result(p, "thrust::" #name, [=]() IRGL_EMU_BODY {                         \
      long best = 0;                                                                                 \
      for (long i = 1; i < n; i++) best = better ? i : best;                                         \
      return best;                                                                                   \
    });                                                                                              \
  }                                                                                                  \
  template <class P, class I, class = detail::if_policy<P>>                                          \
  IRGL_EMU_MEMBER I name(const P& p, I first, I last) {                                              \
    return thrust::name(p, first, last, less<typename std::iterator_traits<I>::value_type>());       \
  }                                                                                                  \
  IRGL_EMU_ANYWHERE(name)
IRGL_EMU_BEST(min_element, less(detail::given(a[i]), detail::given(a[best])))
IRGL_EMU_BEST(max_element, less(detail::given(a[best]), detail::given(a[i])))
#undef IRGL_EMU_BEST

}  // namespace thrust
