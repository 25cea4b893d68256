// Sums, of all elements and of each run of equal keys.
#pragma once
#include "../functional.h"
#include "../pair.h"
#include "run.h"

namespace thrust {

template <class P, class I, class T, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER T reduce(const P& p, I first, I last, T init, F f) {
  const long n = last - first;
  if (n <= 0) return init;
  auto a = detail::raw(p, first);
  return detail::result(p, "thrust::reduce", [=]() IRGL_EMU_BODY {
    T sum = init;
    for (long i = 0; i < n; i++) sum = f(sum, detail::given(a[i]));
    return sum;
  });
}
template <class P, class I, class T, class = detail::if_policy<P>>
IRGL_EMU_MEMBER T reduce(const P& p, I first, I last, T init) {
  return thrust::reduce(p, first, last, init, plus<T>());
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER auto reduce(const P& p, I first, I last) {
  using Value = typename std::iterator_traits<I>::value_type;
  return thrust::reduce(p, first, last, Value(), plus<Value>());
}
IRGL_EMU_ANYWHERE(reduce)

template <class P, class I, class V, class K, class O, class E, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<K, O> reduce_by_key(const P& p, I first, I last, V values, K keys_to, O to, E equal, F f) {
  const long n = last - first;
  auto k = detail::raw(p, first);
  auto v = detail::raw(p, values);
  auto kt = detail::raw(p, keys_to);
  auto o = detail::raw(p, to);
  using Key = typename std::iterator_traits<decltype(k)>::value_type;
  using Value = typename std::iterator_traits<decltype(v)>::value_type;
  const long made = detail::result(p, "thrust::reduce_by_key", [=]() IRGL_EMU_BODY {
    long runs = 0;
    for (long i = 0; i < n;) {
      const Key key = k[i];
      Value sum = v[i];
      Key last_key = key;
      for (i++; i < n && equal(last_key, detail::given(k[i])); i++) {
        last_key.~Key();
        ::new ((void*)&last_key) Key(k[i]);
        sum = f(sum, detail::given(v[i]));
      }
      kt[runs] = key;
      o[runs++] = sum;
    }
    return runs;
  });
  return pair<K, O>(keys_to + made, to + made);
}
template <class P, class I, class V, class K, class O, class E, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<K, O> reduce_by_key(const P& p, I first, I last, V values, K keys_to, O to, E equal) {
  return thrust::reduce_by_key(p, first, last, values, keys_to, to, equal, plus<>());
}
template <class P, class I, class V, class K, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<K, O> reduce_by_key(const P& p, I first, I last, V values, K keys_to, O to) {
  return thrust::reduce_by_key(p, first, last, values, keys_to, to, equal_to<>(), plus<>());
}
IRGL_EMU_ANYWHERE(reduce_by_key)

}  // namespace thrust
