// Which side of a line, inside or outside of a circle: signs that are right for any doubles, so long as no product of
// four of their differences leaves the range of a double.
//
//     irgl::orient2d(ax, ay, bx, by, cx, cy)            1: a, b, c turn left; -1: right; 0: they are on one line
//     irgl::incircle(ax, ay, bx, by, cx, cy, dx, dy)    of a left turn a, b, c: 1: d is inside of their circle
// Plain arithmetic first, with a bound on its error; where the sign is in doubt, exact sums of doubles (expansions).
// Bounds and sums: J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates,
// Discrete & Computational Geometry 18, 1997.
#pragma once
#include "types.hpp"

namespace irgl {
namespace detail {

// An exact number: the sum of its parts, which do not overlap and grow in magnitude; no part is zero.
template <int most>
struct Expansion {
  double part[most];
  int size = 0;

  void add(double b) {  // `most` must leave room for one more part
    int kept = 0;
    for (int i = 0; i < size; ++i) {
      const double sum = b + part[i], of_part = sum - b, rest = (b - (sum - of_part)) + (part[i] - of_part);
      if (rest != 0) part[kept++] = rest;
      b = sum;
    }
    if (b != 0) part[kept++] = b;
    size = kept;
  }
  template <int m>
  void add(const Expansion<m>& other, double sign = 1) {
    for (int i = 0; i < other.size; ++i) add(sign * other.part[i]);
  }
  int sign() const { return size == 0 ? 0 : (part[size - 1] > 0) - (part[size - 1] < 0); }
};

inline Expansion<2> difference(double a, double b) {
  Expansion<2> d;
  d.add(a), d.add(-b);
  return d;
}
template <int n, int m>
Expansion<2 * n * m> product(const Expansion<n>& a, const Expansion<m>& b) {
  Expansion<2 * n * m> p;
  for (int i = 0; i < a.size; ++i)
    for (int j = 0; j < b.size; ++j) {
      const double high = a.part[i] * b.part[j];
      p.add(__builtin_fma(a.part[i], b.part[j], -high)), p.add(high);
    }
  return p;
}
// a * d - b * c
inline Expansion<16> determinant(const Expansion<2>& a, const Expansion<2>& b, const Expansion<2>& c,
                                 const Expansion<2>& d) {
  Expansion<16> value;
  value.add(product(a, d)), value.add(product(b, c), -1);
  return value;
}
inline Expansion<16> square(const Expansion<2>& x, const Expansion<2>& y) {
  Expansion<16> value;
  value.add(product(x, x)), value.add(product(y, y));
  return value;
}

IRGL_NOINLINE inline int exact_orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  return determinant(difference(ax, cx), difference(ay, cy), difference(bx, cx), difference(by, cy)).sign();
}
IRGL_NOINLINE inline int exact_incircle(double ax, double ay, double bx, double by, double cx, double cy, double dx,
                                        double dy) {
  const Expansion<2> x[] = {difference(ax, dx), difference(bx, dx), difference(cx, dx)};
  const Expansion<2> y[] = {difference(ay, dy), difference(by, dy), difference(cy, dy)};
  Expansion<3 * 512> value;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    value.add(product(square(x[i], y[i]), determinant(x[j], y[j], x[k], y[k])));
  }
  return value.sign();
}

}  // namespace detail

inline int orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  constexpr double ulp = 0x1p-53, bound = (3 + 16 * ulp) * ulp;
  const double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx), value = left - right;
  const double error = bound * (__builtin_fabs(left) + __builtin_fabs(right));
  if (value > error) return 1;
  if (-value > error) return -1;
  return detail::exact_orient2d(ax, ay, bx, by, cx, cy);
}

inline int incircle(double ax, double ay, double bx, double by, double cx, double cy, double dx, double dy) {
  constexpr double ulp = 0x1p-53, bound = (10 + 96 * ulp) * ulp;
  const double x[] = {ax - dx, bx - dx, cx - dx}, y[] = {ay - dy, by - dy, cy - dy};
  double value = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double lift = x[i] * x[i] + y[i] * y[i], left = x[j] * y[k], right = y[j] * x[k];
    value += lift * (left - right);
    size += lift * (__builtin_fabs(left) + __builtin_fabs(right));
  }
  if (value > bound * size) return 1;
  if (-value > bound * size) return -1;
  return detail::exact_incircle(ax, ay, bx, by, cx, cy, dx, dy);
}

}  // namespace irgl
