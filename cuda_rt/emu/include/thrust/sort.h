// Sorting, always stable, and whether something is sorted.
#pragma once
#include "detail/radix_sort.h"
#include "detail/usual.h"
#include "functional.h"
#include "merge.h"
#include "reverse.h"

namespace thrust {

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void stable_sort(const P& p, I first, I last, F less) {
  const long n = last - first;
  if (n < 2) return;
  auto a = detail::raw(p, first);
  using Value = typename std::iterator_traits<decltype(a)>::value_type;
  detail::temporary<P, Value> room(p, n);
  Value* const other = room.data;
  detail::once(p, "thrust::sort", [=]() IRGL_EMU_BODY {
    detail::sort_by(a, detail::nothing(), n, other, detail::nothing(), less);
    return 0;
  });
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void stable_sort(const P& p, I first, I last) {
  thrust::stable_sort(p, first, last, less<typename std::iterator_traits<I>::value_type>());
}
IRGL_EMU_ANYWHERE(stable_sort)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void sort(const P& p, I first, I last, F less) {
  thrust::stable_sort(p, first, last, less);
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void sort(const P& p, I first, I last) {
  thrust::stable_sort(p, first, last);
}
IRGL_EMU_ANYWHERE(sort)

template <class P, class I, class V, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void stable_sort_by_key(const P& p, I first, I last, V values, F less) {
  const long n = last - first;
  if (n < 2) return;
  auto k = detail::raw(p, first);
  auto v = detail::raw(p, values);
  using Key = typename std::iterator_traits<decltype(k)>::value_type;
  using Value = typename std::iterator_traits<decltype(v)>::value_type;
  detail::temporary<P, Key> key_room(p, n);
  detail::temporary<P, Value> room(p, n);
  Key* const other_keys = key_room.data;
  Value* const other = room.data;
  detail::once(p, "thrust::sort_by_key", [=]() IRGL_EMU_BODY {
    detail::sort_by(k, v, n, other_keys, other, less);
    return 0;
  });
}
template <class P, class I, class V, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void stable_sort_by_key(const P& p, I first, I last, V values) {
  thrust::stable_sort_by_key(p, first, last, values, less<typename std::iterator_traits<I>::value_type>());
}
IRGL_EMU_ANYWHERE(stable_sort_by_key)

template <class P, class I, class V, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void sort_by_key(const P& p, I first, I last, V values, F less) {
  thrust::stable_sort_by_key(p, first, last, values, less);
}
template <class P, class I, class V, class = detail::if_policy<P>>
IRGL_EMU_MEMBER void sort_by_key(const P& p, I first, I last, V values) {
  thrust::stable_sort_by_key(p, first, last, values);
}
IRGL_EMU_ANYWHERE(sort_by_key)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I is_sorted_until(const P& p, I first, I last, F less) {
  const long n = last - first;
  if (n < 2) return last;
  auto a = detail::raw(p, first);
  return first + detail::result(p, "thrust::is_sorted", [=]() IRGL_EMU_BODY {
    long i = 1;
    while (i < n && !less(detail::given(a[i]), detail::given(a[i - 1]))) i++;
    return i;
  });
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I is_sorted_until(const P& p, I first, I last) {
  return thrust::is_sorted_until(p, first, last, less<typename std::iterator_traits<I>::value_type>());
}
IRGL_EMU_ANYWHERE(is_sorted_until)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER bool is_sorted(const P& p, I first, I last, F less) {
  return thrust::is_sorted_until(p, first, last, less) == last;
}
template <class P, class I, class = detail::if_policy<P>>
IRGL_EMU_MEMBER bool is_sorted(const P& p, I first, I last) {
  return thrust::is_sorted_until(p, first, last) == last;
}
IRGL_EMU_ANYWHERE(is_sorted)

}  // namespace thrust
