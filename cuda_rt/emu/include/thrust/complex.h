// thrust::complex.
#pragma once
#include <sstream>
#include <complex>

#include "detail/config.h"

namespace thrust {

template <class T>
struct complex {
  using value_type = T;
  IRGL_EMU_MEMBER constexpr complex(const T& re = T(), const T& im = T()) : re_(re), im_(im) {}
  complex(const complex&) = default;
  template <class U>
  IRGL_EMU_MEMBER constexpr complex(const complex<U>& o) : re_(T(o.real())), im_(T(o.imag())) {}
  template <class U>
  IRGL_EMU_MEMBER constexpr complex(const std::complex<U>& o) : re_(T(o.real())), im_(T(o.imag())) {}
  complex& operator=(const complex&) = default;
  IRGL_EMU_MEMBER constexpr T real() const { return re_; }
  IRGL_EMU_MEMBER constexpr T imag() const { return im_; }
  IRGL_EMU_MEMBER void real(T v) { re_ = v; }
  IRGL_EMU_MEMBER void imag(T v) { im_ = v; }
  IRGL_EMU_MEMBER operator std::complex<T>() const { return std::complex<T>(re_, im_); }
#define IRGL_EMU_ASSIGN(op)                                 \
  template <class U>                                        \
  IRGL_EMU_MEMBER complex& operator op##=(const U & v) {    \
    return *this = *this op complex(v);                     \
  }
  IRGL_EMU_ASSIGN(+)
  IRGL_EMU_ASSIGN(-)
  IRGL_EMU_ASSIGN(*)
  IRGL_EMU_ASSIGN(/)
#undef IRGL_EMU_ASSIGN

 private:
  T re_, im_;
};

namespace detail {
template <class T>
IRGL_EMU_MEMBER complex<T> product(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
}
template <class T>
IRGL_EMU_MEMBER complex<T> quotient(const complex<T>& a, const complex<T>& b) {
  const T s = std::abs(b.real()) + std::abs(b.imag()), inverse = T(1) / s;
  const T ar = a.real() * inverse, ai = a.imag() * inverse, br = b.real() * inverse, bi = b.imag() * inverse;
  const T size = br * br + bi * bi;
  return complex<T>((ar * br + ai * bi) / size, (ai * br - ar * bi) / size);
}
}  // namespace detail

#define IRGL_EMU_OPERATOR(op, said)                                                   \
  template <class T, class U>                                                         \
  IRGL_EMU_MEMBER auto operator op(const complex<T>& l, const complex<U>& r) {        \
    using V = std::common_type_t<T, U>;                                               \
    const complex<V> a(l), b(r);                                                      \
    return said;                                                                      \
  }                                                                                   \
  template <class T, class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>      \
  IRGL_EMU_MEMBER auto operator op(const complex<T>& l, const U& r) {                 \
    return l op complex<U>(r);                                                        \
  }                                                                                   \
  template <class T, class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>      \
  IRGL_EMU_MEMBER auto operator op(const U& l, const complex<T>& r) {                 \
    return complex<U>(l) op r;                                                        \
  }
IRGL_EMU_OPERATOR(+, complex<V>(a.real() + b.real(), a.imag() + b.imag()))
IRGL_EMU_OPERATOR(-, complex<V>(a.real() - b.real(), a.imag() - b.imag()))
IRGL_EMU_OPERATOR(*, detail::product(a, b))
IRGL_EMU_OPERATOR(/, detail::quotient(a, b))
IRGL_EMU_OPERATOR(==, a.real() == b.real() && a.imag() == b.imag())
IRGL_EMU_OPERATOR(!=, !(a.real() == b.real() && a.imag() == b.imag()))
#undef IRGL_EMU_OPERATOR

template <class T>
IRGL_EMU_MEMBER complex<T> operator+(const complex<T>& z) {
  return z;
}
template <class T>
IRGL_EMU_MEMBER complex<T> operator-(const complex<T>& z) {
  return complex<T>(-z.real(), -z.imag());
}
template <class T>
IRGL_EMU_MEMBER T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
IRGL_EMU_MEMBER complex<T> conj(const complex<T>& z) {
  return complex<T>(z.real(), -z.imag());
}
template <class T>
IRGL_EMU_MEMBER complex<T> polar(const T& size, const T& angle = T()) {
  return complex<T>(size * std::cos(angle), size * std::sin(angle));
}
template <class T>
IRGL_EMU_MEMBER T abs(const complex<T>& z) {
  return std::hypot(z.real(), z.imag());
}
template <class T>
IRGL_EMU_MEMBER T arg(const complex<T>& z) {
  return std::atan2(z.imag(), z.real());
}
#define IRGL_EMU_FUNCTION(name)                                  \
  template <class T>                                             \
  IRGL_EMU_MEMBER complex<T> name(const complex<T>& z) {         \
    return complex<T>(std::name(std::complex<T>(z)));            \
  }
IRGL_EMU_FUNCTION(exp)
IRGL_EMU_FUNCTION(log)
IRGL_EMU_FUNCTION(log10)
IRGL_EMU_FUNCTION(sqrt)
IRGL_EMU_FUNCTION(sin)
IRGL_EMU_FUNCTION(cos)
IRGL_EMU_FUNCTION(tan)
IRGL_EMU_FUNCTION(sinh)
IRGL_EMU_FUNCTION(cosh)
IRGL_EMU_FUNCTION(tanh)
IRGL_EMU_FUNCTION(asin)
IRGL_EMU_FUNCTION(acos)
IRGL_EMU_FUNCTION(atan)
IRGL_EMU_FUNCTION(proj)
#undef IRGL_EMU_FUNCTION
template <class T>
IRGL_EMU_MEMBER complex<T> pow(const complex<T>& z, const complex<T>& w) {
  return complex<T>(std::pow(std::complex<T>(z), std::complex<T>(w)));
}
template <class T>
IRGL_EMU_MEMBER complex<T> pow(const complex<T>& z, const T& w) {
  return complex<T>(std::pow(std::complex<T>(z), w));
}

template <class T, class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const complex<T>& z) {
  return out << '(' << z.real() << ',' << z.imag() << ')';
}

}  // namespace thrust
