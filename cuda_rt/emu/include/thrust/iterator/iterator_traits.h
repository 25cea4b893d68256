// What is known of an iterator's type.
#pragma once
#include "../detail/policy.h"

namespace thrust {

template <class I>
using iterator_traits = std::iterator_traits<I>;
template <class I>
struct iterator_value {
  using type = typename std::iterator_traits<I>::value_type;
};
template <class I>
struct iterator_reference {
  using type = typename std::iterator_traits<I>::reference;
};
template <class I>
struct iterator_pointer {
  using type = typename std::iterator_traits<I>::pointer;
};
template <class I>
struct iterator_difference {
  using type = typename std::iterator_traits<I>::difference_type;
};
template <class I>
struct iterator_system {
  using type = detail::system_of<I>;
};
template <class I>
struct iterator_traversal {
  using type = typename std::iterator_traits<I>::iterator_category;
};
template <class I>
using iterator_value_t = typename iterator_value<I>::type;
template <class I>
using iterator_reference_t = typename iterator_reference<I>::type;
template <class I>
using iterator_pointer_t = typename iterator_pointer<I>::type;
template <class I>
using iterator_difference_t = typename iterator_difference<I>::type;
template <class I>
using iterator_system_t = typename iterator_system<I>::type;
template <class I>
using iterator_traversal_t = typename iterator_traversal<I>::type;

using input_host_iterator_tag = std::input_iterator_tag;
using forward_host_iterator_tag = std::forward_iterator_tag;
using bidirectional_host_iterator_tag = std::bidirectional_iterator_tag;
using random_access_host_iterator_tag = std::random_access_iterator_tag;
struct input_device_iterator_tag : std::input_iterator_tag {};
struct output_device_iterator_tag : std::output_iterator_tag {};
struct forward_device_iterator_tag : std::forward_iterator_tag {};
struct bidirectional_device_iterator_tag : std::bidirectional_iterator_tag {};
struct random_access_device_iterator_tag : std::random_access_iterator_tag {};
struct incrementable_traversal_tag {};
struct single_pass_traversal_tag : incrementable_traversal_tag {};
struct forward_traversal_tag : single_pass_traversal_tag {};
struct bidirectional_traversal_tag : forward_traversal_tag {};
struct random_access_traversal_tag : bidirectional_traversal_tag {};
struct use_default {};

namespace detail {
template <class T, class Else>
using unless_default = std::conditional_t<std::is_same_v<T, use_default>, Else, T>;
}

}  // namespace thrust

#include "iterator_categories.h"
