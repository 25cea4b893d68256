// Loads and stores of locations that other threads write, too: volatile, so that none is kept in a register.
//
//     load(location)  store(location, value)
// A value of 1, 2, 4 or 8 bytes goes at once and is never torn. Any other goes by words as wide as it is aligned: for
// who holds the lock under which the others touch it.
#pragma once
#include "types.cuh"

namespace irgl {
namespace detail {
template <class T> constexpr bool is_unit = sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0;
template <class T> using piece_t __attribute__((may_alias)) = typename BitsOf<alignof(T)>::type;
}  // namespace detail

template <class T>
IRGL_DEVICE T load(const T& location) {
  if constexpr (detail::is_unit<T>) {
    const detail::bits_t<T> bits = *reinterpret_cast<const volatile detail::word_t<T>*>(&location);
    return detail::bit_cast<T>(bits);
  } else {
    using Piece = detail::piece_t<T>;
    T value{};
    for (size_t i = 0; i < sizeof(T) / sizeof(Piece); ++i)
      reinterpret_cast<Piece*>(&value)[i] = reinterpret_cast<const volatile Piece*>(&location)[i];
    return value;
  }
}
template <class T>
IRGL_DEVICE void store(T& location, same_t<T> value) {
  if constexpr (detail::is_unit<T>) {
    *reinterpret_cast<volatile detail::word_t<T>*>(&location) = detail::bit_cast<detail::bits_t<T>>(value);
  } else {
    using Piece = detail::piece_t<T>;
    for (size_t i = 0; i < sizeof(T) / sizeof(Piece); ++i)
      reinterpret_cast<volatile Piece*>(&location)[i] = reinterpret_cast<const Piece*>(&value)[i];
  }
}

}  // namespace irgl
