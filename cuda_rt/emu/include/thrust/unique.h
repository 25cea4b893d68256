// One element of each run of equal ones.
#pragma once
#include "count.h"
#include "detail/run.h"
#include "detail/usual.h"
#include "functional.h"
#include "pair.h"

namespace thrust {

template <class P, class I, class V, class K, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<K, O> unique_by_key_copy(const P& p, I first, I last, V values, K keys_to, O to, F same) {
  const long n = last - first;
  if (n <= 0) return pair<K, O>(keys_to, to);
  auto k = detail::raw(p, first);
  auto v = detail::raw(p, values);
  auto kt = detail::raw(p, keys_to);
  auto o = detail::raw(p, to);
  using Key = typename std::iterator_traits<decltype(k)>::value_type;
  const long kept = detail::result(p, "thrust::unique_by_key", [=]() IRGL_EMU_BODY {
    long made = 0;
    for (long i = 0; i < n;) {
      const Key key = k[i];
      kt[made] = key;
      o[made++] = v[i];
      for (i++; i < n && same(key, detail::given(k[i]));) i++;
    }
    return made;
  });
  return pair<K, O>(keys_to + kept, to + kept);
}
template <class P, class I, class V, class K, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<K, O> unique_by_key_copy(const P& p, I first, I last, V values, K keys_to, O to) {
  return thrust::unique_by_key_copy(p, first, last, values, keys_to, to, equal_to<>());
}
IRGL_EMU_ANYWHERE(unique_by_key_copy)

template <class P, class I, class V, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<I, V> unique_by_key(const P& p, I first, I last, V values, F same) {
  return thrust::unique_by_key_copy(p, first, last, values, first, values, same);
}
template <class P, class I, class V, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<I, V> unique_by_key(const P& p, I first, I last, V values) {
  return thrust::unique_by_key_copy(p, first, last, values, first, values, equal_to<>());
}
IRGL_EMU_ANYWHERE(unique_by_key)

template <class P, class I, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O unique_copy(const P& p, I first, I last, O to, F same) {
  const long n = last - first;
  if (n <= 0) return to;
  auto a = detail::raw(p, first);
  auto o = detail::raw(p, to);
  using Value = typename std::iterator_traits<decltype(a)>::value_type;
  return to + detail::result(p, "thrust::unique", [=]() IRGL_EMU_BODY {
    long made = 0;
    for (long i = 0; i < n;) {
      const Value v = a[i];
      o[made++] = v;
      for (i++; i < n && same(v, detail::given(a[i]));) i++;
    }
    return made;
  });
}
template <class P, class I, class O, class = detail::if_policy<P>>
IRGL_EMU_MEMBER O unique_copy(const P& p, I first, I last, O to) {
  return thrust::unique_copy(p, first, last, to, equal_to<>());
}
IRGL_EMU_ANYWHERE(unique_copy)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I unique(const P& p, I first, I last, F same) {
  return thrust::unique_copy(p, first, last, first, same);
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I unique(const P& p, I first, I last) {
  return thrust::unique_copy(p, first, last, first, equal_to<>());
}
IRGL_EMU_ANYWHERE(unique)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER auto unique_count(const P& p, I first, I last, F same) {
  using Count = typename std::iterator_traits<I>::difference_type;
  const long n = last - first;
  if (n <= 0) return Count(0);
  auto a = detail::raw(p, first);
  return detail::result(p, "thrust::unique_count", [=]() IRGL_EMU_BODY {
    Count runs = 1;
    for (long i = 1; i < n; i++) runs += same(detail::given(a[i - 1]), detail::given(a[i])) ? 0 : 1;
    return runs;
  });
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER auto unique_count(const P& p, I first, I last) {
  return thrust::unique_count(p, first, last, equal_to<>());
}
IRGL_EMU_ANYWHERE(unique_count)

}  // namespace thrust
