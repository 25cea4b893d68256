// Sorted ranges as sets, in which an element may be several times.
#pragma once
#include "detail/run.h"
#include "detail/usual.h"
#include "extrema.h"
#include "functional.h"
#include "iterator/constant_iterator.h"

namespace thrust {

namespace detail {
// What is only in the first, in both (from the first), only in the second: which of them are kept?
template <bool First, bool Both, bool Second, class P, class I, class J, class O, class F>
IRGL_EMU_MEMBER O set_operation(const P& p, const char* name, I first, I last, J first2, J last2, O to, F less) {
  const long n = last - first, m = last2 - first2;
  auto a = raw(p, first);
  auto b = raw(p, first2);
  auto o = raw(p, to);
  return to + result(p, name, [=]() IRGL_EMU_BODY {
    long i = 0, j = 0, made = 0;
    while (i < n && j < m) {
      if (less(given(a[i]), given(b[j]))) {
        if (First) o[made++] = a[i];
        i++;
      } else if (less(given(b[j]), given(a[i]))) {
        if (Second) o[made++] = b[j];
        j++;
      } else {
        if (Both) o[made++] = a[i];
        i++;
        j++;
      }
    }
    for (; First && i < n; i++) o[made++] = a[i];
    for (; Second && j < m; j++) o[made++] = b[j];
    return made;
  });
}
}  // namespace detail

#define IRGL_EMU_SETS(name, first_only, both, second_only)                                                     \
  template <class P, class I, class J, class O, class F, class = detail::if_policy<P>>                         \
  IRGL_EMU_MEMBER O name(const P& p, I first, I last, J first2, J last2, O to, F less) {                       \
    return detail::set_operation<first_only, both, second_only>(p, "thrust::" #name, first, last, first2, last2, to, \
                                                                less);                                         \
  }                                                                                                            \
  template <class P, class I, class J, class O, class = detail::if_policy<P>>                                  \
  IRGL_EMU_MEMBER O name(const P& p, I first, I last, J first2, J last2, O to) {                               \
    return thrust::name(p, first, last, first2, last2, to, less<typename std::iterator_traits<I>::value_type>()); \
  }                                                                                                            \
  IRGL_EMU_ANYWHERE(name)
IRGL_EMU_SETS(set_union, true, true, true)
IRGL_EMU_SETS(set_intersection, false, true, false)
IRGL_EMU_SETS(set_difference, true, false, false)
IRGL_EMU_SETS(set_symmetric_difference, true, false, true)
#undef IRGL_EMU_SETS

}  // namespace thrust
