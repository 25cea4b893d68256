// Sums of all elements so far, also of those with the same key.
#pragma once
#include "../functional.h"
#include "run.h"
#include "transform_scan.h"

namespace thrust {

template <class P, class I, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O inclusive_scan(const P& p, I first, I last, O to, F f) {
  return thrust::transform_inclusive_scan(p, first, last, to, identity<>(), f);
}
template <class P, class I, class O, class T, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O inclusive_scan(const P& p, I first, I last, O to, T init, F f) {
  return thrust::transform_inclusive_scan(p, first, last, to, identity<>(), init, f);
}
template <class P, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O inclusive_scan(const P& p, I first, I last, O to) {
  return thrust::inclusive_scan(p, first, last, to, plus<>());
}
IRGL_EMU_ANYWHERE(inclusive_scan)

template <class P, class I, class O, class T, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O exclusive_scan(const P& p, I first, I last, O to, T init, F f) {
  return thrust::transform_exclusive_scan(p, first, last, to, identity<>(), init, f);
}
template <class P, class I, class O, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O exclusive_scan(const P& p, I first, I last, O to, T init) {
  return thrust::exclusive_scan(p, first, last, to, init, plus<>());
}
template <class P, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O exclusive_scan(const P& p, I first, I last, O to) {
  return thrust::exclusive_scan(p, first, last, to, typename std::iterator_traits<I>::value_type(), plus<>());
}
IRGL_EMU_ANYWHERE(exclusive_scan)

template <class P, class I, class V, class O, class E, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O inclusive_scan_by_key(const P& p, I first, I last, V values, O to, E equal, F f) {
  const long n = last - first;
  auto k = detail::raw(p, first);
  auto v = detail::raw(p, values);
  auto o = detail::raw(p, to);
  using Key = typename std::iterator_traits<decltype(k)>::value_type;
  using Value = typename std::iterator_traits<decltype(v)>::value_type;
  detail::once(p, "thrust::inclusive_scan_by_key", [=]() IRGL_EMU_BODY {
    for (long i = 0; i < n;) {
      Value sum = v[i];
      Key key = k[i];
      o[i] = sum;
      for (i++; i < n && equal(key, detail::given(k[i])); i++) {
        key = k[i];
        sum = f(sum, detail::given(v[i]));
        o[i] = sum;
      }
    }
    return 0;
  });
  return to + n;
}
template <class P, class I, class V, class O, class E, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O inclusive_scan_by_key(const P& p, I first, I last, V values, O to, E equal) {
  return thrust::inclusive_scan_by_key(p, first, last, values, to, equal, plus<>());
}
template <class P, class I, class V, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O inclusive_scan_by_key(const P& p, I first, I last, V values, O to) {
  return thrust::inclusive_scan_by_key(p, first, last, values, to, equal_to<>(), plus<>());
}
IRGL_EMU_ANYWHERE(inclusive_scan_by_key)

template <class P, class I, class V, class O, class T, class E, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O exclusive_scan_by_key(const P& p, I first, I last, V values, O to, T init, E equal, F f) {
  const long n = last - first;
  auto k = detail::raw(p, first);
  auto v = detail::raw(p, values);
  auto o = detail::raw(p, to);
  using Key = typename std::iterator_traits<decltype(k)>::value_type;
  using Value = typename std::iterator_traits<decltype(v)>::value_type;
  detail::once(p, "thrust::exclusive_scan_by_key", [=]() IRGL_EMU_BODY {
    for (long i = 0; i < n;) {
      T sum = init;
      Key key = k[i];
      do {
        const Value now = v[i];
        key = k[i];
        o[i] = sum;
        sum = f(sum, now);
      } while (++i < n && equal(key, detail::given(k[i])));
    }
    return 0;
  });
  return to + n;
}
template <class P, class I, class V, class O, class T, class E, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O exclusive_scan_by_key(const P& p, I first, I last, V values, O to, T init, E equal) {
  return thrust::exclusive_scan_by_key(p, first, last, values, to, init, equal, plus<>());
}
template <class P, class I, class V, class O, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O exclusive_scan_by_key(const P& p, I first, I last, V values, O to, T init) {
  return thrust::exclusive_scan_by_key(p, first, last, values, to, init, equal_to<>(), plus<>());
}
template <class P, class I, class V, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O exclusive_scan_by_key(const P& p, I first, I last, V values, O to) {
  using Value = typename std::iterator_traits<V>::value_type;
  return thrust::exclusive_scan_by_key(p, first, last, values, to, Value(), equal_to<>(), plus<>());
}
IRGL_EMU_ANYWHERE(exclusive_scan_by_key)

}  // namespace thrust
