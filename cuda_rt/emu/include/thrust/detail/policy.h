// Policies, and on what an algorithm without one runs: on the device where an iterator is of the device, or none is of
// the host.
#pragma once
#include "config.h"

namespace thrust {

namespace detail {
struct policy_root {};
struct device_root : policy_root {};
template <class Derived>
struct execution_policy_base : policy_root {};
}  // namespace detail

template <class Derived>
struct execution_policy : detail::execution_policy_base<Derived> {};
template <class Derived>
struct host_execution_policy : execution_policy<Derived> {};
template <class Derived>
struct device_execution_policy : execution_policy<Derived>, detail::device_root {};

struct any_system_tag {};
struct host_system_tag : host_execution_policy<host_system_tag> {};
struct device_system_tag : device_execution_policy<device_system_tag> {};

namespace detail {
// A stream to run on, and whether the host waits for what it has given to it.
template <bool Waits>
struct on_stream : device_execution_policy<on_stream<Waits>> {
  static constexpr bool waits = Waits;
  cudaStream_t stream = 0;
  IRGL_EMU_MEMBER on_stream(cudaStream_t s = 0) : stream(s) {}
  IRGL_EMU_MEMBER on_stream on(cudaStream_t s) const { return on_stream(s); }
  template <class Allocator>
  IRGL_EMU_MEMBER on_stream operator()(Allocator&&) const {
    return *this;
  }
};

template <class P>
using bare = std::remove_cv_t<std::remove_reference_t<P>>;
template <class P>
constexpr bool is_policy = std::is_base_of_v<policy_root, bare<P>>;
template <class P>
using if_policy = std::enable_if_t<is_policy<P>>;
template <class P>
using if_no_policy = std::enable_if_t<!is_policy<P>>;
template <class P>
constexpr bool on_device = std::is_base_of_v<device_root, P>;

template <class P, class = void>
struct stream_of {
  static constexpr bool waits = true;
  IRGL_EMU_MEMBER static cudaStream_t of(const P&) { return 0; }
};
template <class P>
struct stream_of<P, std::void_t<decltype(P::waits)>> {
  static constexpr bool waits = P::waits;
  IRGL_EMU_MEMBER static cudaStream_t of(const P& p) { return p.stream; }
};

// Of any type: 2 an iterator of the device, 1 one of the host, 0 one that fits both, or no iterator.
template <class T, class = void>
struct place_of_class {
  static constexpr int value = 0;
};
template <class T>
struct place_of_class<T, std::void_t<typename T::iterator_category, typename T::difference_type>> {
  static constexpr int value = 1;
};
template <class T, class = void>
struct place_of : place_of_class<T> {};
template <class T>
struct place_of<T*, void> {
  static constexpr int value = std::is_function_v<T> ? 0 : 1;
};
template <class T>
struct place_of<T, std::void_t<typename T::emu_system>> {
  using system = typename T::emu_system;
  static constexpr int value = std::is_base_of_v<device_root, system>        ? 2
                               : std::is_base_of_v<any_system_tag, system> ? 0
                                                                             : 1;
};
template <class... Args>
constexpr int highest_place() {
  int most = 0;
  ((most = place_of<Args>::value > most ? place_of<Args>::value : most), ...);
  return most;
}
template <int Place>
using system_at =
    std::conditional_t<Place == 2, device_system_tag, std::conditional_t<Place == 1, host_system_tag, any_system_tag>>;
template <class... Args>
using system_of = system_at<highest_place<Args...>()>;
template <class... Args>
using policy_for = system_at<highest_place<Args...>() == 1 ? 1 : 2>;
}  // namespace detail

}  // namespace thrust
