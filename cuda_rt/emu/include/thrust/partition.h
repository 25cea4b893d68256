// First the elements that are as a predicate wants them, then the others. All are stable.
#pragma once
#include "count.h"
#include "detail/find.h"
#include "detail/merge_sort.h"
#include "detail/usual.h"
#include "pair.h"
#include "remove.h"
#include "sort.h"

namespace thrust {

template <class P, class I, class S, class T, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<T, O> stable_partition_copy(const P& p, I first, I last, S stencil, T yes, O no, F wanted) {
  const long n = last - first;
  auto a = detail::raw(p, first);
  auto s = detail::raw(p, stencil);
  auto y = detail::raw(p, yes);
  auto o = detail::raw(p, no);
  const long chosen = detail::result(p, "thrust::partition_copy", [=]() IRGL_EMU_BODY {
    long in = 0;
    for (long i = 0; i < n; i++) {
      if (wanted(detail::given(s[i]))) {
        y[in++] = a[i];
      } else {
        o[i - in] = a[i];
      }
    }
    return in;
  });
  return pair<T, O>(yes + chosen, no + (n - chosen));
}
template <class P, class I, class T, class O, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER pair<T, O> stable_partition_copy(const P& p, I first, I last, T yes, O no, F wanted) {
  return thrust::stable_partition_copy(p, first, last, first, yes, no, wanted);
}
IRGL_EMU_ANYWHERE(stable_partition_copy)

template <class P, class I, class... Rest, class = detail::if_policy<P>>
IRGL_EMU_MEMBER auto partition_copy(const P& p, I first, I last, Rest... rest) {
  return thrust::stable_partition_copy(p, first, last, rest...);
}
IRGL_EMU_ANYWHERE(partition_copy)

template <class P, class I, class S, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I stable_partition(const P& p, I first, I last, S stencil, F wanted) {
  const long n = last - first;
  if (n <= 0) return first;
  auto a = detail::raw(p, first);
  auto s = detail::raw(p, stencil);
  using Value = typename std::iterator_traits<decltype(a)>::value_type;
  detail::temporary<P, Value> room(p, n);
  Value* const others = room.data;
  return first + detail::result(p, "thrust::partition", [=]() IRGL_EMU_BODY {
    long in = 0;
    for (long i = 0; i < n; i++) {
      if (wanted(detail::given(s[i]))) {
        const Value v = a[i];
        a[in++] = v;
      } else {
        ::new ((void*)(others + (i - in))) Value(a[i]);
      }
    }
    for (long i = in; i < n; i++) a[i] = others[i - in];
    detail::forget(others, n - in);
    return in;
  });
}
template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I stable_partition(const P& p, I first, I last, F wanted) {
  return thrust::stable_partition(p, first, last, first, wanted);
}
IRGL_EMU_ANYWHERE(stable_partition)

template <class P, class I, class... Rest, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I partition(const P& p, I first, I last, Rest... rest) {
  return thrust::stable_partition(p, first, last, rest...);
}
IRGL_EMU_ANYWHERE(partition)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER I partition_point(const P& p, I first, I last, F wanted) {
  return thrust::find_if_not(p, first, last, wanted);
}
IRGL_EMU_ANYWHERE(partition_point)

template <class P, class I, class F, class = detail::if_policy<P>>
IRGL_EMU_MEMBER bool is_partitioned(const P& p, I first, I last, F wanted) {
  return thrust::find_if(p, thrust::find_if_not(p, first, last, wanted), last, wanted) == last;
}
IRGL_EMU_ANYWHERE(is_partitioned)

}  // namespace thrust
