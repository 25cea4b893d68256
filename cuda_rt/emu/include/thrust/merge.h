// Two sorted ranges as one.
#pragma once
#include "detail/run.h"
#include "detail/usual.h"
#include "functional.h"
#include "pair.h"

namespace thrust {

template <class P, class I, class J, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O merge(const P& p, I first, I last, J first2, J last2, O to, F less) {
  const long n = last - first, m = last2 - first2;
  auto a = detail::raw(p, first);
  auto b = detail::raw(p, first2);
  auto o = detail::raw(p, to);
  detail::once(p, "thrust::merge", [=]() IRGL_EMU_BODY {
    for (long i = 0, j = 0; i + j < n + m;) {
      if (i == n || (j < m && less(detail::given(b[j]), detail::given(a[i])))) {
        o[i + j] = b[j];
        j++;
      } else {
        o[i + j] = a[i];
        i++;
      }
    }
    return 0;
  });
  return to + (n + m);
}
template <class P, class I, class J, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O merge(const P& p, I first, I last, J first2, J last2, O to) {
  return thrust::merge(p, first, last, first2, last2, to, less<typename std::iterator_traits<I>::value_type>());
}
IRGL_EMU_ANYWHERE(merge)

template <class P, class I, class J, class V, class W, class K, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<K, O> merge_by_key(const P& p, I first, I last, J first2, J last2, V values, W values2, K keys_to,
                                        O to, F less) {
  const long n = last - first, m = last2 - first2;
  auto a = detail::raw(p, first);
  auto b = detail::raw(p, first2);
  auto v = detail::raw(p, values);
  auto w = detail::raw(p, values2);
  auto k = detail::raw(p, keys_to);
  auto o = detail::raw(p, to);
  detail::once(p, "thrust::merge_by_key", [=]() IRGL_EMU_BODY {
    for (long i = 0, j = 0; i + j < n + m;) {
      if (i == n || (j < m && less(detail::given(b[j]), detail::given(a[i])))) {
        k[i + j] = b[j];
        o[i + j] = w[j];
        j++;
      } else {
        k[i + j] = a[i];
        o[i + j] = v[i];
        i++;
      }
    }
    return 0;
  });
  return pair<K, O>(keys_to + (n + m), to + (n + m));
}
template <class P, class I, class J, class V, class W, class K, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<K, O> merge_by_key(const P& p, I first, I last, J first2, J last2, V values, W values2, K keys_to,
                                        O to) {
  return thrust::merge_by_key(p, first, last, first2, last2, values, values2, keys_to, to,
                              less<typename std::iterator_traits<I>::value_type>());
}
IRGL_EMU_ANYWHERE(merge_by_key)

}  // namespace thrust
