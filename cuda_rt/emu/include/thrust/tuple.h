// thrust::tuple, also of references.
#pragma once
#include <tuple>

#include "detail/unwrap.h"
#include "pair.h"

namespace thrust {

template <class... T>
class tuple;

namespace detail {
template <size_t I, class T>
struct leaf {
  T v;
};
template <size_t I, class T>
IRGL_EMU_MEMBER constexpr T& leaf_of(leaf<I, T>& l) {
  return l.v;
}
template <size_t I, class T>
IRGL_EMU_MEMBER constexpr const T& leaf_of(const leaf<I, T>& l) {
  return l.v;
}
template <size_t I, class T>
T leaf_type(const leaf<I, T>&);

template <class Indices, class... T>
struct leaves;
template <size_t... I, class... T>
struct leaves<std::index_sequence<I...>, T...> : leaf<I, T>... {
  IRGL_EMU_MEMBER constexpr leaves() : leaf<I, T>{T()}... {}
  leaves(const leaves&) = default;
  template <class... U>
  IRGL_EMU_MEMBER constexpr leaves(int, U&&... u) : leaf<I, T>{static_cast<T>(static_cast<U&&>(u))}... {}
  template <class Other>
  IRGL_EMU_MEMBER constexpr void assign(Other&& o) {
    ((leaf_of<I, T>(*this) = get<I>(o)), ...);
  }
};
template <class... T>
using leaves_of = leaves<std::make_index_sequence<sizeof...(T)>, T...>;
struct from_other {};
struct from_standard {};
}  // namespace detail

template <size_t I, class... T>
IRGL_EMU_MEMBER constexpr auto& get(tuple<T...>& t) {
  return detail::leaf_of<I>(t);
}
template <size_t I, class... T>
IRGL_EMU_MEMBER constexpr const auto& get(const tuple<T...>& t) {
  return detail::leaf_of<I>(t);
}
template <size_t I, class... T>
IRGL_EMU_MEMBER constexpr auto&& get(tuple<T...>&& t) {
  return static_cast<decltype(detail::leaf_type<I>(t))&&>(detail::leaf_of<I>(t));
}

template <class... T>
class tuple : public detail::leaves_of<T...> {
  using base = detail::leaves_of<T...>;
  template <class Other, size_t... I>
  IRGL_EMU_MEMBER constexpr tuple(detail::from_other, Other&& o, std::index_sequence<I...>)
      : base(0, thrust::get<I>(static_cast<Other&&>(o))...) {}
  template <class Other, size_t... I>
  IRGL_EMU_MEMBER constexpr tuple(detail::from_standard, const Other& o, std::index_sequence<I...>)
      : base(0, std::get<I>(o)...) {}
  template <class Other, size_t... I>
  IRGL_EMU_MEMBER constexpr Other standard(std::index_sequence<I...>) const {
    return Other(thrust::get<I>(*this)...);
  }
  template <class... U>
  static constexpr bool fits() {
    if constexpr (sizeof...(U) != sizeof...(T) || sizeof...(T) == 0) {
      return false;
    } else {
      return (std::is_constructible_v<T, U> && ...);
    }
  }
  using all = std::make_index_sequence<sizeof...(T)>;

 public:
  tuple() = default;
  tuple(const tuple&) = default;
  template <class... U, class = std::enable_if_t<fits<U...>()>>
  IRGL_EMU_MEMBER constexpr tuple(U&&... u) : base(0, static_cast<U&&>(u)...) {}
  template <class... U, class = std::enable_if_t<fits<const U&...>()>>
  IRGL_EMU_MEMBER constexpr tuple(const tuple<U...>& o) : tuple(detail::from_other{}, o, all{}) {}
  template <class... U, class = std::enable_if_t<fits<U&...>()>>
  IRGL_EMU_MEMBER constexpr tuple(tuple<U...>& o) : tuple(detail::from_other{}, o, all{}) {}
  template <class... U, class = std::enable_if_t<fits<U...>()>>
  IRGL_EMU_MEMBER constexpr tuple(tuple<U...>&& o)
      : tuple(detail::from_other{}, static_cast<tuple<U...>&&>(o), all{}) {}
  template <class A, class B, class = std::enable_if_t<fits<const A&, const B&>()>>
  IRGL_EMU_MEMBER constexpr tuple(const pair<A, B>& o) : tuple(detail::from_other{}, o, all{}) {}

  IRGL_EMU_MEMBER constexpr tuple& operator=(const tuple& o) {
    this->assign(o);
    return *this;
  }
  template <class... U>
  IRGL_EMU_MEMBER constexpr tuple& operator=(const tuple<U...>& o) {
    this->assign(o);
    return *this;
  }
  template <class A, class B>
  IRGL_EMU_MEMBER constexpr tuple& operator=(const pair<A, B>& o) {
    this->assign(o);
    return *this;
  }
  template <class... U, class = std::enable_if_t<fits<const U&...>()>>
  IRGL_EMU_MEMBER constexpr tuple(const std::tuple<U...>& o) : tuple(detail::from_standard{}, o, all{}) {}
  template <class... U, class = std::enable_if_t<sizeof...(U) == sizeof...(T)>>
  IRGL_EMU_MEMBER constexpr operator std::tuple<U...>() const {
    return standard<std::tuple<U...>>(all{});
  }
  template <size_t I>
  IRGL_EMU_MEMBER constexpr auto& get() {
    return thrust::get<I>(*this);
  }
  template <size_t I>
  IRGL_EMU_MEMBER constexpr const auto& get() const {
    return thrust::get<I>(*this);
  }
  IRGL_EMU_MEMBER void swap(tuple& o) {
    const tuple<bare_type<T>...> other = o;
    o = *this;
    *this = other;
  }

 private:
  template <class U>
  using bare_type = std::remove_reference_t<U>;
  template <class U>
  friend class device_reference;
};
template <class... T>
tuple(T...) -> tuple<T...>;

template <class... T>
IRGL_EMU_MEMBER constexpr tuple<std::decay_t<T>...> make_tuple(T&&... v) {
  return tuple<std::decay_t<T>...>(static_cast<T&&>(v)...);
}
template <class... T>
IRGL_EMU_MEMBER constexpr tuple<T&...> tie(T&... v) {
  return tuple<T&...>(v...);
}
template <class... T>
IRGL_EMU_MEMBER void swap(tuple<T...>& x, tuple<T...>& y) {
  x.swap(y);
}

using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;
struct null_type {};

namespace detail {
struct ignore_t {
  template <class T>
  IRGL_EMU_MEMBER constexpr const ignore_t& operator=(const T&) const {
    return *this;
  }
};
}  // namespace detail
inline constexpr detail::ignore_t ignore{};

}  // namespace thrust

#include "detail/tuple_compare.h"

// cuda::std is the C++ library's.
namespace std {
using thrust::get;
template <class... T>
struct tuple_size<thrust::tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t I, class... T>
struct tuple_element<I, thrust::tuple<T...>> {
  using type = decltype(thrust::detail::leaf_type<I>(declval<thrust::tuple<T...>&>()));
};
}  // namespace std
