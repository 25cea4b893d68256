// Which side of a line, inside or outside of a circle: signs that are right for any doubles, so long as no product of
// four of their differences leaves the range of a double.
//
//     irgl::orient2d(ax, ay, bx, by, cx, cy)            1: a, b, c turn left; -1: right; 0: they are on one line
//     irgl::incircle(ax, ay, bx, by, cx, cy, dx, dy)    of a left turn a, b, c: 1: d is inside of their circle
// Plain arithmetic first, with a bound on its error; where the sign is in doubt, exact sums of doubles (expansions).
// Bounds and sums: J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates,
// Discrete & Computational Geometry 18, 1997.
#pragma once
#ifdef IRGL_BOTH  // CUDA's twin of types.hpp is there: for both sides, and without calls, around which kernels spill
#define IRGL_SIGN IRGL_BOTH
#define IRGL_EXACT IRGL_BOTH
#else
#include "types.hpp"
#define IRGL_SIGN inline
#define IRGL_EXACT IRGL_NOINLINE inline
#endif

namespace irgl {
namespace detail {

// a * b - c, rounded once
IRGL_SIGN double rest_of_product(double a, double b, double c) {
#if defined(__CUDA_ARCH__) && !defined(__IRGL_EMU__)
  return __fma_rn(a, b, -c);
#else
  return __builtin_fma(a, b, -c);
#endif
}

IRGL_SIGN double magnitude(double x) { return x < 0 ? -x : x; }

// An exact number: the sum of its parts, which do not overlap and grow in magnitude; no part is zero.
template <int most>
struct Expansion {
  double part[most];
  int size = 0;

  IRGL_SIGN void add(double b) {
    if (size == most) compress();
    int kept = 0;
    for (int i = 0; i < size; ++i) {
      const double sum = b + part[i], of_part = sum - b, rest = (b - (sum - of_part)) + (part[i] - of_part);
      if (rest != 0) part[kept++] = rest;
      b = sum;
    }
    if (b != 0) part[kept++] = b;
    size = kept;
  }
  // The same number in parts of which each is below the last place of the next: of these a double's range holds 42.
  IRGL_EXACT void compress() {
    double above = part[size - 1];
    int kept = size;
    for (int i = size - 2; i >= 0; --i) {
      const double sum = above + part[i], rest = part[i] - (sum - above);
      if (rest != 0) part[--kept] = sum;
      above = rest != 0 ? rest : sum;
    }
    part[--kept] = above;
    for (int i = kept; i < size; ++i) part[i - kept] = part[i];
    size = kept != 0 ? size - kept : most - 1;  // no room is won only where a part is no number
  }
  template <int n, int m>
  IRGL_SIGN void add_product(const Expansion<n>& a, const Expansion<m>& b, double sign = 1) {
    for (int i = 0; i < a.size; ++i)
      for (int j = 0; j < b.size; ++j) {
        const double high = a.part[i] * b.part[j];
        add(sign * rest_of_product(a.part[i], b.part[j], high)), add(sign * high);
      }
  }
  IRGL_SIGN int sign() const { return size == 0 ? 0 : (part[size - 1] > 0) - (part[size - 1] < 0); }
};

IRGL_SIGN Expansion<2> difference(double a, double b) {
  Expansion<2> d;
  d.add(a), d.add(-b);
  return d;
}
// a * d - b * c
IRGL_SIGN Expansion<16> determinant(const Expansion<2>& a, const Expansion<2>& b, const Expansion<2>& c,
                                    const Expansion<2>& d) {
  Expansion<16> value;
  value.add_product(a, d), value.add_product(b, c, -1);
  return value;
}
IRGL_SIGN Expansion<16> square(const Expansion<2>& x, const Expansion<2>& y) {
  Expansion<16> value;
  value.add_product(x, x), value.add_product(y, y);
  return value;
}

IRGL_EXACT int exact_orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  return determinant(difference(ax, cx), difference(ay, cy), difference(bx, cx), difference(by, cy)).sign();
}
IRGL_EXACT int exact_incircle(double ax, double ay, double bx, double by, double cx, double cy, double dx, double dy) {
  const Expansion<2> x[] = {difference(ax, dx), difference(bx, dx), difference(cx, dx)};
  const Expansion<2> y[] = {difference(ay, dy), difference(by, dy), difference(cy, dy)};
  Expansion<64> value;  // a device has a stack for each of very many threads
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    value.add_product(square(x[i], y[i]), determinant(x[j], y[j], x[k], y[k]));
  }
  return value.sign();
}

}  // namespace detail

IRGL_SIGN int orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
  constexpr double ulp = 0x1p-53, bound = (3 + 16 * ulp) * ulp;
  const double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx), value = left - right;
  const double error = bound * (detail::magnitude(left) + detail::magnitude(right));
  if (value > error) return 1;
  if (-value > error) return -1;
  return detail::exact_orient2d(ax, ay, bx, by, cx, cy);
}

IRGL_SIGN int incircle(double ax, double ay, double bx, double by, double cx, double cy, double dx, double dy) {
  constexpr double ulp = 0x1p-53, bound = (10 + 96 * ulp) * ulp;
  const double x[] = {ax - dx, bx - dx, cx - dx}, y[] = {ay - dy, by - dy, cy - dy};
  double value = 0, size = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double lift = x[i] * x[i] + y[i] * y[i], left = x[j] * y[k], right = y[j] * x[k];
    value += lift * (left - right);
    size += lift * (detail::magnitude(left) + detail::magnitude(right));
  }
  if (value > bound * size) return 1;
  if (-value > bound * size) return -1;
  return detail::exact_incircle(ax, ay, bx, by, cx, cy, dx, dy);
}

#undef IRGL_SIGN
#undef IRGL_EXACT
}  // namespace irgl
