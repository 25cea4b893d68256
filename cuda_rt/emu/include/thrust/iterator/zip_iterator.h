// Several iterators as one, whose elements are tuples of references.
#pragma once
#include "../detail/unwrap.h"
#include "../tuple.h"
#include "iterator_facade.h"

namespace thrust {

template <class Tuple>
class zip_iterator;

namespace detail {
template <class Self, class... I>
using zip_base = iterator_facade<Self, tuple<typename std::iterator_traits<I>::value_type...>, system_of<I...>,
                                 random_access_traversal_tag, tuple<typename std::iterator_traits<I>::reference...>>;
}

template <class... I>
class zip_iterator<tuple<I...>> : public detail::zip_base<zip_iterator<tuple<I...>>, I...> {
  using facade = detail::zip_base<zip_iterator, I...>;
  friend class iterator_core_access;
  tuple<I...> all_;
  using indices = std::make_index_sequence<sizeof...(I)>;

  template <size_t... K>
  IRGL_EMU_MEMBER typename facade::reference at(std::index_sequence<K...>) const {
    return typename facade::reference(*thrust::get<K>(all_)...);
  }
  template <size_t... K>
  IRGL_EMU_MEMBER void move(ptrdiff_t n, std::index_sequence<K...>) {
    ((thrust::get<K>(all_) += n), ...);
  }
  IRGL_EMU_MEMBER typename facade::reference dereference() const { return at(indices{}); }
  template <class Other>
  IRGL_EMU_MEMBER bool equal(const Other& o) const {
    return thrust::get<0>(all_) == thrust::get<0>(o.get_iterator_tuple());
  }
  IRGL_EMU_MEMBER void advance(ptrdiff_t n) { move(n, indices{}); }
  IRGL_EMU_MEMBER void increment() { move(1, indices{}); }
  IRGL_EMU_MEMBER void decrement() { move(-1, indices{}); }
  template <class Other>
  IRGL_EMU_MEMBER ptrdiff_t distance_to(const Other& o) const {
    return thrust::get<0>(o.get_iterator_tuple()) - thrust::get<0>(all_);
  }

 public:
  zip_iterator() = default;
  IRGL_EMU_MEMBER zip_iterator(tuple<I...> all) : all_(all) {}
  template <class... J, class = std::enable_if_t<(std::is_convertible_v<J, I> && ...)>>
  IRGL_EMU_MEMBER zip_iterator(const zip_iterator<tuple<J...>>& o) : all_(o.get_iterator_tuple()) {}
  IRGL_EMU_MEMBER const tuple<I...>& get_iterator_tuple() const { return all_; }
};
template <class... I>
zip_iterator(tuple<I...>) -> zip_iterator<tuple<I...>>;

template <class... I>
IRGL_EMU_MEMBER zip_iterator<tuple<I...>> make_zip_iterator(tuple<I...> all) {
  return zip_iterator<tuple<I...>>(all);
}
template <class... I>
IRGL_EMU_MEMBER zip_iterator<tuple<I...>> make_zip_iterator(const std::tuple<I...>& all) {
  return zip_iterator<tuple<I...>>(tuple<I...>(all));
}
template <class... I>
IRGL_EMU_MEMBER zip_iterator<tuple<I...>> make_zip_iterator(I... all) {
  return zip_iterator<tuple<I...>>(tuple<I...>(all...));
}

namespace detail {
template <class... I>
struct unwrapping<zip_iterator<tuple<I...>>> {
  using type = zip_iterator<tuple<unwrapped<I>...>>;
  template <size_t... K>
  IRGL_EMU_MEMBER static type of(const tuple<I...>& all, std::index_sequence<K...>) {
    return type(tuple<unwrapped<I>...>(unwrap(thrust::get<K>(all))...));
  }
  IRGL_EMU_MEMBER static type of(const zip_iterator<tuple<I...>>& i) {
    return of(i.get_iterator_tuple(), std::make_index_sequence<sizeof...(I)>{});
  }
};
}  // namespace detail

}  // namespace thrust
